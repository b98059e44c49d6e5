import Synchronization

/// A patch that one observer finds, and for which others wait.
final class SharedPatch<Section: SectionInflator>: Sendable {
  private enum Phase {
    /// It is being found, and these wait for it.
    case awaited([CheckedContinuation<SnapshotPatch<Section>, Never>])
    /// It is found.
    case found(SnapshotPatch<Section>)
  }

  private let phase = Mutex(Phase.awaited([]))

  /// Tells those who wait.
  func finish(_ patch: SnapshotPatch<Section>) {
    let old = phase.withLock { phase in
      defer { phase = .found(patch) }
      return phase
    }
    if case .awaited(let waiters) = old {
      for waiter in waiters { waiter.resume(returning: patch) }
    }
  }

  /// The patch, as soon as it is found; a comparison ends by itself, so nobody need be cancelled.
  var value: SnapshotPatch<Section> {
    get async {
      await withCheckedContinuation { continuation in
        let found = phase.withLock { phase -> SnapshotPatch<Section>? in
          switch phase {
          case .found(let patch): return patch
          case .awaited(let waiters):
            phase = .awaited(waiters + [continuation])
            return nil
          }
        }
        if let found { continuation.resume(returning: found) }
      }
    }
  }
}
