import AsyncKnotTesting
import AsyncOptical
import Testing

/// A probe of an opticle that shows changes before they are answered.
@Suite struct PendingProbeTests {
  private actor Shopping: Opticle {
    struct State: Sendable, Equatable { var items: [String] = [], isLoading = false, message = "" }
    typealias Request = Work<Shopping>
    typealias Response = Change<State>
    let knot = Knot(State())
  }

  private struct Refused: Error {}

  private static func add(_ item: String, isRefused: Bool) -> Work<Shopping> {
    Work(expecting: { if !$0.items.contains(item) { $0.items.append(item) } }) { _ in
      if isRefused { throw Refused() }
    } recover: {
      $0.message = "\($1)"
    }
  }

  private static var load: Work<Shopping> {
    Work(.latest("load")) { shopping in
      await shopping.load(showing: { $0.isLoading = true }) {
        ["milk"]
      } mutate: {
        $0.items = $1
      } recover: {
        $0.message = "\($1)"
      }
    }
  }

  @Test("O15: a probe receives each pending change, its end, and a response that changes nothing")
  func pending() async {
    await explore(seeds: 200) {
      let probe = OpticleProbe(Shopping())
      probe.send(Self.load)
      await probe.expect { $0.isLoading = true }
      await probe.expect { ($0.items, $0.isLoading) = (["milk"], false) }
      probe.send(Self.add("tea", isRefused: false))
      await probe.expect { $0.items.append("tea") }
      await probe.expect { _ in }
      probe.send(Self.add("gin", isRefused: true))
      await probe.expect { $0.items.append("gin") }
      await probe.expect { ($0.items, $0.message) = (["milk", "tea"], "Refused()") }
      await probe.finish()
    }
  }
}
