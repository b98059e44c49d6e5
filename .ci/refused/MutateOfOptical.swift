// refused: write 'func mutate(_ state: inout State, response: Response)', which changes the state in place and returns nothing
import AsyncOptical

actor Feed: Opticle {
  struct State: Sendable { var titles: [String] = [] }
  enum Request { case load }
  enum Response { case loaded([String]) }
  let knot = Knot(State())

  func dispatch(_ request: Request) async {}
  func mutate(_ state: State, response: Response) -> State { state }
  func recover(_ state: inout State, request: Request, error: any Error) {}
}
