// swift-tools-version: 6.3
import PackageDescription

/// The settings that all Swift targets share.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of the libraries, which must mark each unsafe construct with `unsafe`.
///
/// `NonisolatedNonsendingByDefault` stays off: if it is on, a `@MainActor` class cannot adopt a protocol that has `async`
/// requirements.
let library: [SwiftSetting] = common + [.strictMemorySafety()]

/// The settings of large test targets, which are not optimized in a release build, although the libraries are.
///
/// The optimizer would specialize the libraries for the types of each test, and that takes longer than the rest of the build.
let largeTest: [SwiftSetting] =
  common + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
  name: "AsyncKnot",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AsyncKnot", targets: ["AsyncKnot"]),
    .library(name: "AsyncOptical", targets: ["AsyncOptical"]),
    .library(name: "AsyncKnotRecorder", targets: ["AsyncKnotRecorder"]),
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
    .target(
      name: "AsyncKnotRecorder", dependencies: ["AsyncKnot", "AsyncOptical"],
      swiftSettings: library),
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
    .target(
      name: "AsyncDiffTesting", dependencies: ["ExploreTesting", "AsyncDiff"],
      swiftSettings: library),

    .target(
      name: "TerminalUI", path: "Examples/TerminalUI", exclude: ["pty.bash"],
      swiftSettings: common),
    .executableTarget(
      name: "QuickStart", dependencies: ["ExploreTesting", "TerminalUI"],
      path: "Examples/QuickStart", exclude: ["check.sh"],
      swiftSettings: common),
    .executableTarget(
      name: "Switches", dependencies: ["AsyncKnot", "TerminalUI"], path: "Examples/Switches",
      swiftSettings: common),
    .executableTarget(
      name: "LogWatch", dependencies: ["AsyncKnot", "AsyncDiff", "TerminalUI"],
      path: "Examples/LogWatch", exclude: ["Samples", "check.sh", "check.py"], swiftSettings: common
    ),
    .executableTarget(
      name: "Feed", dependencies: ["AsyncKnot", "AsyncDiff", "TerminalUI"],
      path: "Examples/Feed", exclude: ["Samples", "check.sh"], swiftSettings: common),
    .executableTarget(
      name: "Market", dependencies: ["AsyncKnot", "AsyncDiff", "TerminalUI"],
      path: "Examples/Market", swiftSettings: common),
    .executableTarget(
      name: "History", dependencies: ["AsyncKnot", "AsyncOptical", "TerminalUI"],
      path: "Examples/History", exclude: ["Samples", "check.sh", "faulty-server.py"],
      swiftSettings: common),
    .executableTarget(
      name: "Courier", dependencies: ["AsyncKnot", "AsyncOptical"], path: "Examples/Courier",
      exclude: ["README.md", "check.sh", "check.py"], swiftSettings: common),
    .executableTarget(
      name: "Tracker",
      dependencies: ["AsyncKnot", "AsyncKnotRecorder", "AsyncOptical", "AsyncDiff", "TerminalUI"],
      path: "Examples/Tracker", exclude: ["check.py", "check.sh"], swiftSettings: common),

    .target(
      name: "TestSupport", dependencies: ["ExploreTesting"], path: "Tests/TestSupport",
      swiftSettings: common),
    .testTarget(
      name: "AsyncKnotTests", dependencies: ["AsyncKnot", "AsyncKnotTesting", "TestSupport"],
      swiftSettings: largeTest),
    .testTarget(
      name: "AsyncKnotMainActorTests",
      dependencies: ["AsyncKnot", "AsyncOptical", "AsyncDiff", "AsyncKnotTesting", "TestSupport"],
      swiftSettings: common + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "AsyncOpticalTests",
      dependencies: ["AsyncOptical", "AsyncKnotTesting", "ExploreWorld", "TestSupport"],
      swiftSettings: largeTest),
    .testTarget(
      name: "AsyncKnotRecorderTests",
      dependencies: ["AsyncKnotRecorder", "AsyncKnotTesting", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "AsyncDiffTests",
      dependencies: [
        "AsyncDiff", "AsyncDiffTesting", "AsyncOptical", "AsyncKnotTesting", "TestSupport",
      ],
      swiftSettings: largeTest),
    .testTarget(
      name: "AsyncDiffUIKitTests",
      dependencies: ["AsyncDiffUIKit", "AsyncDiffTesting", "AsyncKnotTesting", "TestSupport"],
      swiftSettings: common),
    .target(name: "AllocationHook", path: "Tests/AllocationHook"),
    .testTarget(
      name: "ExploreTestingTests",
      dependencies: [
        "ExploreTesting", "ExploreTestingRuntime", "AsyncDiffTesting", "TestSupport",
        "AllocationHook",
      ],
      swiftSettings: largeTest),
    .testTarget(
      name: "ExploreWorldTests", dependencies: ["ExploreWorld", "TestSupport"],
      swiftSettings: largeTest),
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

// `ONLY_TESTS=AsyncKnotTests,ZooTests swift build --build-tests` builds only these test targets and their dependencies. Without
// the variable, SwiftPM rebuilds every test and example for each sanitizer, for the release configuration, and for each planted
// fault, and those builds take most of the time.
if let only = Context.environment["ONLY_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll {
    !only.contains($0.name)
      && ($0.type == .test || $0.name == "Zoo" && !only.contains("ZooTests")
        || $0.path?.hasPrefix("Examples/") == true)
  }
}
