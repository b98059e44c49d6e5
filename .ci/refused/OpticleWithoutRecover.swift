// refused: write 'func recover(_ state: inout State, request: Request, error: any Error)', because errors would be lost without it
import AsyncOptical

actor Feed: Opticle {
  let knot = Knot<[String]>([])
  func dispatch(_ request: Int) async {}
  func mutate(_ state: inout [String], response: String) {}
}
