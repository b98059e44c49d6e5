// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Follow",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncKnot", path: "../..")],
  targets: [
    .executableTarget(
      name: "Follow", dependencies: [.product(name: "AsyncDiff", package: "AsyncKnot")])
  ],
  swiftLanguageModes: [.v6]
)
