// swift-tools-version: 6.2
import PackageDescription

// Stands in for Apple's frameworks where the samples of the articles are compiled without them.
//
// The modules are named as the frameworks are, because the samples import them. They hold the few
// declarations that the samples use, written from the frameworks' public documentation; nothing in them
// draws, and nothing here is a part of what the AsyncKnot package builds or ships.
let package = Package(
  name: "apple-stubs",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsyncKnot", path: "../..")],
  targets: [
    .target(name: "SwiftUI"),
    .target(name: "UIKit"),
    .target(
      name: "Samples",
      dependencies: ["SwiftUI", "UIKit", .product(name: "AsyncKnot", package: "AsyncKnot")]),
  ],
  swiftLanguageModes: [.v6]
)
