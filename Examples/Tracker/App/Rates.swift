import AsyncKnot

/// The value of each currency in euros, requested at regular intervals.
actor Rates: StateActor {
  nonisolated let knot = Knot<[String: Double]>([:])
  private let fetch: @Sendable () async throws -> [String: Double]

  init(fetch: @escaping @Sendable () async throws -> [String: Double]) { self.fetch = fetch }

  func start(every interval: Duration) {
    AsyncInterval(every: interval).compactMap { [fetch] _ in try? await fetch() }
      .pipe(to: self, in: knot.bag)
  }
}
