// swift-tools-version: 6.2
import PackageDescription

// A package with bugs that the kit finds; `.ci/toolchains-check.sh` builds it in several ways, and sees that it does in each.
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

// A program with clocks of its own, so that the kit does not have them.
if Context.environment["REAL_CLOCKS"] != nil {
  package.targets.append(.target(name: "RealClocks"))
  for target in package.targets where target.type == .test {
    target.dependencies.append("RealClocks")
  }
}

// A library with a copy of the kit of its own, as two packages may bring two.
if Context.environment["TWO_KITS"] != nil {
  package.dependencies.append(.package(path: "Second"))
  for target in package.targets where target.type == .test {
    target.dependencies.append(.product(name: "Second", package: "Second"))
    target.swiftSettings = [.define("TWO_KITS")]
  }
}
