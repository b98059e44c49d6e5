// swift-tools-version: 6.2
import PackageDescription

// The code under test, which is built as a static or a dynamic library.
let package = Package(
  name: "Tickets",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(
      name: "Tickets", type: Context.environment["DYNAMIC"] == nil ? nil : .dynamic,
      targets: ["Tickets"])
  ],
  targets: [.target(name: "Tickets")],
  swiftLanguageModes: [.v6]
)
