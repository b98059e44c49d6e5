// swift-tools-version: 6.2
import PackageDescription

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let diff: Target.Dependency = .product(name: "AsyncDiff", package: "AsyncKnot")
let knot: Target.Dependency = .product(name: "AsyncKnot", package: "AsyncKnot")

/// A separate package, so that other packages do not need the client library of PostgreSQL.
let package = Package(
  name: "Fleet",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "Fleet", targets: ["Fleet"])],
  dependencies: [
    .package(name: "AsyncKnot", path: "../.."),
    .package(name: "Web", path: "../Web"),
  ],
  targets: [
    .target(name: "FleetLog", dependencies: [diff, knot], swiftSettings: common),
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "PostgresLog", dependencies: ["FleetLog", "CPostgres", diff, knot],
      swiftSettings: common),
    .executableTarget(
      name: "Fleet",
      dependencies: [
        "FleetLog", "PostgresLog", "CZlib", diff, knot,
        .product(name: "ProcessBoard", package: "Web"),
        .product(name: "WebServer", package: "Web"),
      ],
      resources: [.embedInCode("Page")], swiftSettings: common),
    .testTarget(
      name: "FleetLogTests",
      dependencies: [
        "FleetLog", diff, knot, .product(name: "AsyncKnotTesting", package: "AsyncKnot"),
        .product(name: "ExploreWorld", package: "AsyncKnot"),
      ],
      swiftSettings: common),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "Fleet", "FleetLog", "CZlib", diff, .product(name: "WebServer", package: "Web"),
      ],
      swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
