// refused: cannot assign to property: 'state' is a get-only property
import AsyncOptical

actor Feed: Opticle {
  let knot = Knot<[String]>([])
  func dispatch(_ request: Int) async { knot.state = ["a"] }
  func mutate(_ state: inout [String], response: String) {}
  func recover(_ state: inout [String], request: Int, error: any Error) {}
}
