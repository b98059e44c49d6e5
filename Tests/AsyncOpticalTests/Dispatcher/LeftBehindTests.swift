/// The tasks that a dispatch leaves behind belong to it even after it has returned.
@Suite struct LeftBehindTests {
  /// How a dispatch is revoked.
  enum Revocation: CaseIterable, Sendable {
    case superseded, cancelledByID, cancelledByBag

    func revoke(_ worker: Onsite) {
      switch self {
      case .superseded: worker.send(2, .latest("page"))
      case .cancelledByID: worker.cancel("page")
      case .cancelledByBag: worker.knot.bag.cancel()
      }
    }
  }

  /// Revokes the dispatch that waits at `gate`, lets it return, then lets the task that it left behind continue.
  private func play(
    _ revocation: Revocation, of worker: Onsite, _ gate: Gate, _ late: Gate
  ) async {
    await untilIdle()
    revocation.revoke(worker)
    await untilIdle()
    gate.open()
    await untilIdle()
    late.open()
    await untilIdle()
  }

  @Test(
    "O4: the task of a cancelled dispatch writes nothing, even after the dispatch has returned",
    arguments: Revocation.allCases)
  func afterTheReturn(_ revocation: Revocation) async {
    await exploreContract(seeds: 500) {
      let (worker, gate, late) = (Onsite(), Gate(), Gate())
      worker.send(1, .latest("page")) { worker in
        Task {
          await late.wait()
          worker.commit(99)
        }
        await gate.wait()
      }
      await play(revocation, of: worker, gate, late)
      worker.send(3, .latest("page"))
      await untilIdle()
      let expected = if case .superseded = revocation { [2, 3] } else { [3] }
      try hold(worker.state == expected, "\(worker.state)")
    }
  }

  @Test(
    "O4: the task of a cancelled dispatch without an id writes nothing, even after a dispatch with an id"
  )
  func afterAnID() async {
    await exploreContract(seeds: 500) {
      let (worker, gate, late) = (Onsite(), Gate(), Gate())
      worker.send(1, .serial("a"))
      worker.send(2) { worker in
        Task {
          await late.wait()
          worker.commit(99)
        }
        await gate.wait()
      }
      await play(.cancelledByBag, of: worker, gate, late)
      try hold(worker.state == [1], "\(worker.state)")
    }
  }

  @Test(
    "O4: the task of an ended dispatch still writes, even if a later dispatch is revoked",
    arguments: Revocation.allCases)
  func ofAnotherDispatch(_ revocation: Revocation) async {
    await exploreContract(seeds: 500) {
      let (worker, gate, late) = (Onsite(), Gate(), Gate())
      worker.send(0) { worker in
        Task {
          await late.wait()
          worker.commit(77)
        }
      }
      worker.send(1, .latest("page")) { _ in await gate.wait() }
      await play(revocation, of: worker, gate, late)
      try hold(worker.state.contains(77) && !worker.state.contains(1), "\(worker.state)")
    }
  }

  @Test(
    "O4: the task of an ended dispatch still writes if the next dispatch of its id is superseded"
  )
  func endedInTime() async {
    await exploreContract(seeds: 500) {
      let (worker, gate) = (Onsite(), Gate())
      worker.send(1, .latest("page")) { worker in
        Task {
          await gate.wait()
          worker.commit(7)
        }
      }
      worker.send(2, .latest("page")) { _ in await gate.wait() }
      worker.send(3, .latest("page"))
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(worker.state.sorted() == [1, 3, 7], "\(worker.state)")
    }
  }
}
