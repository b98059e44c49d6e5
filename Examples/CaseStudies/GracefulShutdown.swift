import AsyncKnot
import AsyncKnotTesting

/// A server that accepts letters and forwards them.
///
/// When the server shuts down, it refuses new letters, and sends those that it has accepted.
private actor Mailer: StateActor {
  let knot = Knot<[String]>([])
  private let work = TaskBag()
  private var isOpen = true

  /// Returns whether the server has accepted the letter.
  ///
  /// If it returns `false`, try another server.
  func take(_ letter: String) -> Bool {
    guard isOpen else { return false }
    work.add { [self] in await deliver(letter) }
    return true
  }
  private func deliver(_ letter: String) async {
    // A letter that was accepted is sent again until it has arrived.
    while !Task.isCancelled {
      do {
        try await network()
        return reduce { $0.append(letter) }
      } catch { try? await Task.sleep(for: .seconds(1)) }
    }
  }
  private func network() async throws {
    struct Lost: Error {}
    try await Task.sleep(for: .seconds(1))
    if fault("lost") { throw Lost() }
  }
  func shutDown() async {
    isOpen = false
    await work.wait()
  }
}

@Test func acceptedLettersAreSentBeforeShutdownEnds() async {
  await explore(seeds: 500) {
    let mailer = Mailer()
    async let senders = withTaskGroup { group in
      for letter in ["a", "b", "c"] {
        group.addTask { await mailer.take(letter) ? letter : nil }
      }
      return await group.reduce(into: []) { taken, letter in letter.map { taken.append($0) } }
    }
    await Task.yield()
    await mailer.shutDown()
    let sent = mailer.state
    let taken = await senders
    sometimes("a letter arrives too late", taken.count < 3)
    #expect(sent.sorted() == taken.sorted())
  }
}
