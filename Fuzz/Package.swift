// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncKnot", path: "..")],
  targets: [
    .executableTarget(
      name: "DiffFuzz",
      dependencies: [
        .product(name: "AsyncDiff", package: "AsyncKnot"),
        .product(name: "AsyncKnot", package: "AsyncKnot"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
