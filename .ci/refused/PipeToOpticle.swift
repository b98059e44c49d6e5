// refused: for an opticle or a binder, send requests or commands with 'send(to:in:)'
import AsyncOptical

actor Feed: Opticle {
  let knot = Knot<[String]>([])
  func dispatch(_ request: Int) async {}
  func mutate(_ state: inout [String], response: String) {}
  func recover(_ state: inout [String], request: Int, error: any Error) {}
}

func pipe(_ numbers: EventSequence<[String]>, to feed: Feed) async {
  await numbers.pipe(to: feed)
}
