// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SearchScreen",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncKnot", path: "../AsyncKnot")],
  targets: [
    .executableTarget(
      name: "SearchScreen",
      dependencies: [.product(name: "AsyncOptical", package: "AsyncKnot")]),
    .testTarget(
      name: "SearchScreenTests",
      dependencies: [
        "SearchScreen", .product(name: "AsyncKnotTesting", package: "AsyncKnot"),
      ]),
  ]
)
