// swift-tools-version: 6.2
import PackageDescription

// A package with bugs. `.ci/toolchains-check.sh` builds the package in several ways, and checks which bugs the kit finds in each
// build.
let package = Package(
  name: "Toolchains",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "AsyncKnot", path: "../.."), .package(path: "Tickets")],
  targets: [
    .testTarget(
      name: "TicketsTests",
      dependencies: [
        .product(name: "Tickets", package: "Tickets"),
        .product(name: "ExploreTesting", package: "AsyncKnot"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

// A program that defines `clock_gettime` itself, so the kit cannot replace it.
if Context.environment["REAL_CLOCKS"] != nil {
  package.targets.append(.target(name: "RealClocks"))
  for target in package.targets where target.type == .test {
    target.dependencies.append("RealClocks")
  }
}

// A library with its own copy of the kit. A program can contain two copies if two of its packages each link one.
if Context.environment["TWO_KITS"] != nil {
  package.dependencies.append(.package(path: "Second"))
  for target in package.targets where target.type == .test {
    target.dependencies.append(.product(name: "Second", package: "Second"))
    target.swiftSettings = [.define("TWO_KITS")]
  }
}
