// refused: only commits change the state of an opticle; call 'commit(_:)' inside it, or send it a request with 'send(_:)'
import AsyncOptical

actor Feed: Opticle {
  let knot = Knot<[String]>([])
  func dispatch(_ request: Int) async {}
  func mutate(_ state: inout [String], response: String) {}
  func recover(_ state: inout [String], request: Int, error: any Error) {}
}

func write(to feed: Feed) async {
  await feed.sink(["a"])
}
