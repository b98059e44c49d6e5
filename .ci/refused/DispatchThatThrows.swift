// refused: write 'func dispatch(_ request: Request) async', which does not throw
import AsyncOptical

actor Feed: Opticle {
  enum Request: Sendable { case load }
  let knot = Knot<[String]>([])
  func dispatch(_ request: Request) async throws {}
  func mutate(_ state: inout [String], response: String) {}
  func recover(_ state: inout [String], request: Request, error: any Error) {}
}
