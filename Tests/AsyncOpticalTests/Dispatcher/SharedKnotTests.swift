#if os(macOS) || os(Linux)
  import AsyncKnot
  import AsyncOptical
  import TestSupport
  import Testing

  /// An opticle that uses a given knot.
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

  #if DEBUG
    /// An opticle that creates a knot each time it is asked for its knot.
    private actor Forgetful: Opticle {
      nonisolated var knot: Knot<Int> { Knot(0) }
      func dispatch(_ request: Int) async { commit(request) }
      func mutate(_ state: inout Int, response: Int) { state += response }
      func recover(_ state: inout Int, request: Int, error: any Error) {}
    }
  #endif

  @Suite struct SharedKnotTests {
    @Test(
      "M1, V1: using the knot of an opticle or a binder in a second holder traps",
      arguments: [true, false])
    func shared(sends: Bool) async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [sends] in
        if sends {
          let knot = Knot(0)
          let (first, second) = (Lodger(in: knot), Lodger(in: knot))
          first.send(1)
          second.send(1)
          withExtendedLifetime(first) {}
        } else {
          let binder = Counter()
          await binder.accept(.added(1))
          await Parasite(on: binder).reduce { $0.count = 9 }
        }
      }
      #expect(result.says("Two holders share one Knot<\(sends ? "Int" : "State")>"))
    }

    #if DEBUG
      @Test("S12: a debug build traps if an opticle creates a knot each time it is asked for it")
      func createdEachTime() async {
        let result = await #expect(
          processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { Forgetful().send(1) }
        #expect(result.says("'knot' returns a different object at each read, so writes are lost"))
      }
    #endif
  }
#endif
