#if os(macOS) || os(Linux)
  import AsyncKnot
  import AsyncOptical
  import TestSupport
  import Testing

  /// An opticle on a knot that it is given.
  private actor Lodger: Opticle {
    let knot: Knot<Int>
    init(in knot: Knot<Int>) { self.knot = knot }
    func dispatch(_ request: Int) async { commit(request) }
    func mutate(_ state: inout Int, response: Int) { state += response }
    func recover(_ state: inout Int, request: Int, error: any Error) {}
  }

  /// A holder that writes the knot of a binder.
  private actor Parasite: StateActor {
    let host: Counter
    nonisolated var knot: Knot<Counter.State> { host.knot }
    init(on host: Counter) { self.host = host }
  }

  @Suite struct SharedKnotTests {
    @Test(
      "M1: an opticle that shares the knot of another is refused: it would get the other's requests"
    )
    func sharedBySending() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let knot = Knot(0)
        let (first, second) = (Lodger(in: knot), Lodger(in: knot))
        first.send(1)
        second.send(1)
        withExtendedLifetime(first) {}
      }
      #expect(result.says("Two holders share one Knot<Int>"))
    }

    @Test("V1: a holder on a binder's knot is refused: it would bypass accept")
    func sharedByReducing() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let binder = Counter()
        await binder.accept(.added(1))
        await Parasite(on: binder).reduce { $0.count = 9 }
      }
      #expect(result.says("Two holders share one Knot<State>"))
    }
  }
#endif
