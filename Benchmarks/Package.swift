// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Measure", targets: ["Measure"]),
    .library(name: "DiffWorkloads", targets: ["DiffWorkloads"]),
  ],
  dependencies: [.package(name: "AsyncKnot", path: "..")],
  targets: [
    .target(name: "Measure", swiftSettings: settings),
    .target(
      name: "DiffWorkloads", dependencies: [.product(name: "AsyncDiff", package: "AsyncKnot")],
      swiftSettings: settings),
    .executableTarget(
      name: "DiffBenchmarks",
      dependencies: [
        "Measure", "DiffWorkloads", .product(name: "AsyncDiff", package: "AsyncKnot"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "StateBenchmarks",
      dependencies: ["Measure", .product(name: "AsyncKnot", package: "AsyncKnot")],
      swiftSettings: settings),
    .executableTarget(
      name: "ObservedBenchmarks",
      dependencies: ["Measure", .product(name: "AsyncKnot", package: "AsyncKnot")],
      swiftSettings: settings),
    .executableTarget(
      name: "SourceBenchmarks",
      dependencies: ["Measure", .product(name: "AsyncDiff", package: "AsyncKnot")],
      swiftSettings: settings),
    .executableTarget(
      name: "DerivedBenchmarks",
      dependencies: ["Measure", .product(name: "AsyncDiff", package: "AsyncKnot")],
      swiftSettings: settings),
    .executableTarget(
      name: "PatchBenchmarks",
      dependencies: [
        "Measure", "DiffWorkloads", .product(name: "AsyncDiff", package: "AsyncKnot"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "OpticalBenchmarks",
      dependencies: [
        "Measure", .product(name: "AsyncKnot", package: "AsyncKnot"),
        .product(name: "AsyncOptical", package: "AsyncKnot"),
        .product(name: "AsyncDiff", package: "AsyncKnot"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "FairnessBenchmarks",
      dependencies: [
        "Measure", .product(name: "AsyncKnot", package: "AsyncKnot"),
        .product(name: "AsyncOptical", package: "AsyncKnot"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ExploreBenchmarks",
      dependencies: [
        "Measure", .product(name: "AsyncKnot", package: "AsyncKnot"),
        .product(name: "AsyncKnotTesting", package: "AsyncKnot"),
      ],
      swiftSettings: settings),
    // A symbolic link to `Tests/Zoo`, whose known bugs do not import the kit.
    .target(name: "Zoo", swiftSettings: settings),
    .executableTarget(
      name: "CorpusBenchmarks",
      dependencies: ["Measure", "Zoo", .product(name: "ExploreTesting", package: "AsyncKnot")],
      swiftSettings: settings),
    // The processes of `check.sh`.
    .executableTarget(
      name: "Follow", dependencies: [.product(name: "AsyncDiff", package: "AsyncKnot")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
