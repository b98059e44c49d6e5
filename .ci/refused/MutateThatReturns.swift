// refused: write 'func mutate(_ state: inout State, response: Response)', which changes the state in place and returns nothing
import AsyncOptical

actor Titles: Opticle {
  let knot = Knot<[String]>([])
  func dispatch(_ request: Int) async { commit(["a"]) }
  func mutate(_ state: [String], response: [String]) -> [String] { state + response }
  func recover(_ state: inout [String], request: Int, error: any Error) {}
}
