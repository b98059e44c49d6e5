// swift-tools-version: 6.2
import PackageDescription

/// What every target is compiled with.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Libraries mark each unsafe construct.
///
/// `NonisolatedNonsendingByDefault` stays off: with it a `@MainActor` class cannot adopt a protocol that has `async` requirements.
let library: [SwiftSetting] = common + [.strictMemorySafety()]

let package = Package(
  name: "AsyncKnot",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AsyncKnot", targets: ["AsyncKnot"]),
    .library(name: "AsyncOptical", targets: ["AsyncOptical"]),
    .library(name: "AsyncDiff", targets: ["AsyncDiff"]),
    .library(name: "AsyncDiffUIKit", targets: ["AsyncDiffUIKit"]),
    .library(name: "ExploreSeam", targets: ["ExploreSeam"]),
    .library(name: "ExploreTesting", targets: ["ExploreTesting"]),
    .library(name: "ExploreWorld", targets: ["ExploreWorld"]),
    .library(name: "AsyncKnotTesting", targets: ["AsyncKnotTesting"]),
    .library(name: "AsyncDiffTesting", targets: ["AsyncDiffTesting"]),
  ],
  targets: [
    .target(name: "AsyncKnotThread"),
    .target(name: "ExploreSeamThread"),
    .target(
      name: "ExploreSeam", dependencies: ["ExploreSeamThread"], swiftSettings: library),
    .target(
      name: "AsyncKnot", dependencies: ["AsyncKnotThread", "ExploreSeam"], swiftSettings: library),
    .target(name: "AsyncOptical", dependencies: ["AsyncKnot"], swiftSettings: library),
    .target(name: "AsyncDiff", dependencies: ["AsyncKnot"], swiftSettings: library),
    .target(
      name: "AsyncDiffUIKit", dependencies: ["AsyncKnot", "AsyncDiff"], swiftSettings: library),
    .target(name: "ExploreTestingRuntime", dependencies: ["ExploreSeamThread"]),
    .target(
      name: "ExploreTesting", dependencies: ["ExploreTestingRuntime", "ExploreSeam"],
      swiftSettings: library),
    .target(name: "ExploreWorld", dependencies: ["ExploreTesting"], swiftSettings: library),
    .target(
      name: "AsyncKnotTesting", dependencies: ["ExploreTesting", "AsyncKnot", "AsyncOptical"],
      swiftSettings: library),
    .target(name: "AsyncDiffTesting", dependencies: ["AsyncDiff"], swiftSettings: library),

    .target(name: "TerminalUI", path: "Examples/TerminalUI", swiftSettings: common),
    .executableTarget(
      name: "QuickStart", dependencies: ["ExploreTesting", "TerminalUI"],
      path: "Examples/QuickStart",
      swiftSettings: common),
    .executableTarget(
      name: "Switches", dependencies: ["AsyncKnot", "TerminalUI"], path: "Examples/Switches",
      swiftSettings: common),
    .executableTarget(
      name: "LogWatch", dependencies: ["AsyncKnot", "AsyncDiff", "TerminalUI"],
      path: "Examples/LogWatch", exclude: ["Samples"], swiftSettings: common),
    .executableTarget(
      name: "Feed", dependencies: ["AsyncKnot", "AsyncDiff", "TerminalUI"],
      path: "Examples/Feed", exclude: ["Samples"], swiftSettings: common),
    .executableTarget(
      name: "Market", dependencies: ["AsyncKnot", "AsyncDiff", "TerminalUI"],
      path: "Examples/Market", swiftSettings: common),
    .executableTarget(
      name: "History", dependencies: ["AsyncKnot", "AsyncOptical", "TerminalUI"],
      path: "Examples/History", exclude: ["Samples"], swiftSettings: common),
    .executableTarget(
      name: "Courier", dependencies: ["AsyncKnot", "AsyncOptical"], path: "Examples/Courier",
      exclude: ["README.md", "check.py"], swiftSettings: common),
    .executableTarget(
      name: "Tracker", dependencies: ["AsyncKnot", "AsyncOptical", "AsyncDiff", "TerminalUI"],
      path: "Examples/Tracker", swiftSettings: common),

    .target(
      name: "TestSupport", dependencies: ["ExploreTesting"], path: "Tests/TestSupport",
      swiftSettings: common),
    .testTarget(
      name: "AsyncKnotTests", dependencies: ["AsyncKnot", "AsyncKnotTesting", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "AsyncKnotMainActorTests",
      dependencies: ["AsyncKnot", "AsyncOptical", "AsyncDiff", "AsyncKnotTesting", "TestSupport"],
      swiftSettings: common + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "AsyncOpticalTests",
      dependencies: ["AsyncOptical", "AsyncKnotTesting", "ExploreWorld", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "AsyncDiffTests",
      dependencies: ["AsyncDiff", "AsyncDiffTesting", "AsyncKnotTesting", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "AsyncDiffUIKitTests",
      dependencies: ["AsyncDiffUIKit", "AsyncDiffTesting", "AsyncKnotTesting", "TestSupport"],
      swiftSettings: common),
    .target(name: "AllocationHook", path: "Tests/AllocationHook"),
    .testTarget(
      name: "ExploreTestingTests",
      dependencies: ["ExploreTesting", "ExploreTestingRuntime", "TestSupport", "AllocationHook"],
      swiftSettings: common),
    .testTarget(
      name: "ExploreWorldTests", dependencies: ["ExploreWorld", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "AsyncKnotTestingTests", dependencies: ["AsyncKnotTesting", "TestSupport"],
      swiftSettings: common),
    .target(name: "Zoo", path: "Tests/Zoo", swiftSettings: common),
    .testTarget(
      name: "ZooTests", dependencies: ["Zoo", "ExploreTesting", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "LogWatch", "Feed", "History", "Market", "Switches", "Tracker", "TerminalUI",
        "AsyncKnotTesting", "AsyncDiffTesting",
      ],
      exclude: ["Fixtures"], swiftSettings: common),
    .testTarget(
      name: "CaseStudies", dependencies: ["AsyncOptical", "AsyncDiff", "AsyncKnotTesting"],
      path: "Examples/CaseStudies", exclude: ["README.md"], swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)

// `.ci/run` builds once more for ThreadSanitizer, and only what its tests run.
if Context.environment["SANITIZED"] != nil {
  let others: Set = [
    "AsyncKnotMainActorTests", "AsyncKnotTestingTests", "AsyncDiffUIKitTests",
    "ExploreTestingTests", "AllocationHook", "ExploreWorldTests", "Zoo", "ZooTests",
    "ExamplesTests",
  ]
  package.targets.removeAll {
    others.contains($0.name) || $0.path?.hasPrefix("Examples/") == true
  }
}

// `.ci/uikit-check.sh` runs the lists of UIKit on stubs, where there is no UIKit.
if Context.environment["APPLE_STUBS"] != nil {
  package.targets.append(.target(name: "UIKit", path: ".ci/apple-stubs/UIKit"))
  for target in package.targets where target.name.hasPrefix("AsyncDiffUIKit") {
    target.dependencies.append("UIKit")
    target.swiftSettings? += [
      .define("APPLE_STUBS"),
      // The overlay that Testing has for UIKit is not there.
      .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"]),
    ]
  }
}

// `.ci/mutants` builds again and again what the tests of one module need.
if let only = Context.environment["ONLY_TESTS"] {
  package.targets.removeAll {
    $0.name != only
      && ($0.type == .test || $0.name == "Zoo" && only != "ZooTests"
        || $0.path?.hasPrefix("Examples/") == true)
  }
}

// The tests of a release build are there for the optimised libraries. In some targets the optimiser would write the diff
// and the kit anew for each type of rows, which takes longer than all the rest; the fuzzer runs the diff optimised so.
if Context.environment["OPTIMISED"] != nil {
  let others: Set = [
    "AsyncKnotMainActorTests", "AsyncDiffUIKitTests", "CaseStudies", "ExamplesTests", "Feed",
    "History", "Market", "QuickStart", "Switches", "Tracker",
  ]
  package.targets.removeAll { others.contains($0.name) }
  let plain: Set = ["AsyncDiffTests", "ExploreTestingTests", "ExploreWorldTests"]
  for target in package.targets where plain.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
  }
}
