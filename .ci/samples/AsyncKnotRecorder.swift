// The declarations that the samples of AsyncKnotRecorder's articles and documentation comments use without showing them.
import AsyncKnotRecorder
import AsyncOptical

actor Feed: Opticle {
  enum Request: Sendable { case load }
  enum Response: Sendable { case loaded([String]) }
  let knot = Knot<[String]>([])

  func dispatch(_ request: Request) async {
    await load(from: request) { .loaded(["Tea"]) }
  }
  func mutate(_ state: inout [String], response: Response) {
    if case .loaded(let titles) = response { state = titles }
  }
  func recover(_ state: inout [String], request: Request, error: any Error) {}
}

let feed = Feed()
