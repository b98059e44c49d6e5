import Synchronization

/// Holds a surface weakly, and makes its calls.
final class WeakSurface<Section: SectionInflator>: Sendable {
  /// Which nodes the surface wants; read once.
  let nodePolicy: NodeDemand.Policy
  /// The actor on which references to the surface are made and dropped; `nil` if any thread may do
  /// so, because the surface is an actor.
  let home: (any Actor)?

  private let surface: WeakReference
  private let gone = Atomic(false)

  private struct WeakReference: Sendable {
    weak let surface: (any CollectionSurface<Section>)?
  }

  init(_ surface: any CollectionSurface<Section>) {
    nodePolicy = surface.nodePolicy
    home = surface is any Actor ? nil : MainActor.shared
    self.surface = WeakReference(surface: surface)
  }

  /// Whether a call has found that the surface is gone.
  var isGone: Bool { gone.load(ordering: .relaxed) }

  /// Calls the surface.
  ///
  /// The strong reference is made and dropped on `isolation`, because it could be the last one
  /// (S17). `body` has an isolation parameter for the same reason: a nonisolated closure would
  /// leave that isolation.
  ///
  /// - Parameters:
  ///   - isolation: The surface's `home`; the caller's isolation if that is `nil`.
  ///   - body: Called with `isolation` and the surface.
  /// - Returns: What the surface returned; `nil` if it is gone.
  func call<Result: Sendable>(
    on isolation: isolated (any Actor)?,
    _ body: @Sendable (isolated (any Actor)?, any CollectionSurface<Section>) async throws -> Result
  ) async rethrows -> Result? {
    guard let surface = surface.surface else {
      gone.store(true, ordering: .relaxed)
      return nil
    }
    return try await body(isolation, surface)
  }
}
