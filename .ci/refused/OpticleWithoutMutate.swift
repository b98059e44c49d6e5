// refused: write 'func mutate(_ state: inout State, response: Response)', which changes the state in place and returns nothing
import AsyncOptical

actor Feed: Opticle {
  typealias Response = String
  let knot = Knot<[String]>([])
  func dispatch(_ request: Int) async {}
  func recover(_ state: inout [String], request: Int, error: any Error) {}
}
