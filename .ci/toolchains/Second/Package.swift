// swift-tools-version: 6.2
import PackageDescription

// A dynamic library with its own copy of the kit.
let package = Package(
  name: "Second",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "Second", type: .dynamic, targets: ["Second"])],
  dependencies: [.package(name: "AsyncKnot", path: "../../..")],
  targets: [
    .target(
      name: "Second", dependencies: [.product(name: "ExploreTesting", package: "AsyncKnot")])
  ],
  swiftLanguageModes: [.v6]
)
