// swift-tools-version: 6.2
import PackageDescription

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A separate package, so that the root package does not need system libraries.
let package = Package(
  name: "Web",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "LiveTop", targets: ["LiveTop"]),
    .library(name: "ProcessBoard", targets: ["ProcessBoard"]),
    .library(name: "WebServer", targets: ["WebServer"]),
  ],
  dependencies: [.package(name: "AsyncKnot", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(
      name: "WebServer", dependencies: ["CMicroHTTPD"], resources: [.embedInCode("Page")],
      swiftSettings: common + [.strictMemorySafety()]),
    .target(
      name: "ProcessBoard",
      dependencies: [
        .product(name: "AsyncKnot", package: "AsyncKnot"),
        .product(name: "AsyncDiff", package: "AsyncKnot"),
      ], swiftSettings: common),
    .executableTarget(
      name: "LiveTop",
      dependencies: [
        "ProcessBoard", "WebServer",
        .product(name: "AsyncKnot", package: "AsyncKnot"),
        .product(name: "AsyncOptical", package: "AsyncKnot"),
        .product(name: "AsyncDiff", package: "AsyncKnot"),
      ],
      resources: [.embedInCode("Page")], swiftSettings: common),
    .testTarget(
      name: "WebServerTests", dependencies: ["WebServer"], swiftSettings: common),
    .testTarget(
      name: "LiveTopTests",
      dependencies: ["LiveTop", .product(name: "AsyncKnotTesting", package: "AsyncKnot")],
      swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
