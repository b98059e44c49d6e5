public import AsyncKnot
internal import Synchronization

/// One request in flight, as who supersedes it knows it.
///
/// The task that carries it out, and all that this task starts, find it as `current`.
@usableFromInline
final class Dispatch: Sendable {
  @TaskLocal static var current: Dispatch?

  private let superseded = Atomic(false)
  private let runner: Runner?

  @usableFromInline
  init(in runner: Runner?) {
    self.runner = runner
  }

  /// Whether the current task may still commit: its dispatch is neither cancelled nor superseded.
  @usableFromInline static var mayCommit: Bool {
    !Task.isCancelled && current?.superseded.load(ordering: .acquiring) != true
  }

  /// Whether the current task belongs to a dispatch.
  @usableFromInline static var isBound: Bool { current != nil }

  /// Runs a body whose tasks do not belong to the current dispatch.
  @usableFromInline
  static func unbound(_ body: () -> Void) {
    $current.withValue(nil, operation: body)
  }

  /// Runs a body whose tasks belong to this dispatch.
  @usableFromInline
  func run(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async {
    await Self.$current.withValue(self, operation: body)
  }

  /// Cancels the dispatch; what it commits from now on is dropped.
  ///
  /// Only one that is suspended is superseded, so its runner works for it alone.
  @usableFromInline
  func supersede() {
    superseded.store(true, ordering: .releasing)
    runner?.cancel()
  }
}
