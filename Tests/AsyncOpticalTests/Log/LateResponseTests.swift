import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

/// An opticle whose state is a text.
///
/// Each request replaces the text when its response arrives, which is when the gate opens.
private actor Field: Opticle {
  struct Request: Sendable {
    let text: String
    var policy = DispatchPolicy.concurrent
    var isExpected = false
  }

  let knot = Knot("")
  let gate = Gate()

  nonisolated func policy(for request: Request) -> DispatchPolicy { request.policy }
  func expectation(for request: Request) -> String? { request.isExpected ? request.text : nil }
  func dispatch(_ request: Request) async {
    await gate.wait()
    await commit(from: request) { request.text }
  }
  func write(_ request: Request) async {
    await commit(from: request) {
      await gate.wait()
      return request.text
    }
  }
  func mutate(_ state: inout String, response: String) { state = response }
  func recover(_ state: inout String, request: Request, error: any Error) {}
}

@Suite struct LateResponseTests {
  @Test(
    "O15: a request that starts immediately shows its expected change before its first commit",
    arguments: [
      DispatchPolicy.concurrent, .serial("text"), .latest("text"), .exclusive("text"),
      .throttled("text", for: .seconds(1)), .debounced("text", for: .zero),
    ])
  func isShown(policy: DispatchPolicy) async {
    let field = Field()
    async let outcome = field.perform(Field.Request(text: "new", policy: policy, isExpected: true))
    await field.gate.hasArrived(1)
    #expect(field.state == "new")
    field.gate.open()
    #expect(await outcome == .carriedOut)
    #expect(field.state == "new")
  }

  @Test("O15: a change that is committed while a request runs stays on top of the response")
  func staysOnTop() async {
    let field = Field()
    async let written: Void = field.write(Field.Request(text: "old"))
    await field.gate.hasArrived(1)
    await field.commit("new")
    field.gate.open()
    await written
    #expect(field.state == "new")
  }
}
