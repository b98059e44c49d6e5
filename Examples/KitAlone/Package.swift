// swift-tools-version: 6.2
import PackageDescription

// A package that uses the test kit without the state libraries. `check.sh` checks that SwiftPM compiles no other library for it.
let package = Package(
  name: "KitAlone",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "AsyncKnot", path: "../..")],
  targets: [
    .target(name: "Shop"),
    .testTarget(
      name: "ShopTests",
      dependencies: ["Shop", .product(name: "ExploreTesting", package: "AsyncKnot")]),
  ],
  swiftLanguageModes: [.v6]
)
