import AsyncKnotTesting
import AsyncOptical

/// A gallery of many thumbnails, whose server allows three requests at a time.
private actor Thumbnails: Opticle {
  let knot = Knot<[Int: String]>([:])
  let image: @Sendable (Int) async throws -> String

  init(image: @escaping @Sendable (Int) async throws -> String) { self.image = image }

  func dispatch(_ id: Int) async { await load(from: id) { (id, try await image(id)) } }
  func mutate(_ images: inout [Int: String], response: (id: Int, image: String)) {
    images[response.id] = response.image
  }
  func recover(_ images: inout [Int: String], request id: Int, error: any Error) {
    images[id] = "broken"
  }
  nonisolated func policy(for id: Int) -> DispatchPolicy { .serial("image", atMost: 3) }
}

private actor Server {
  struct Missing: Error {}
  private var running = 0
  private(set) var most = 0

  func image(_ id: Int) async throws -> String {
    running += 1
    most = max(most, running)
    defer { running -= 1 }
    try await Task.sleep(for: .milliseconds(10 * (id % 4 + 1)))
    if id == 5 { throw Missing() }
    return "image \(id)"
  }
}

@Test func atMostThreeImagesLoadAtATime() async {
  await explore(seeds: 200) {
    let server = Server()
    let thumbnails = Thumbnails { try await server.image($0) }
    for id in 0..<8 { thumbnails.send(id) }
    try await Task.sleep(for: .seconds(60))
    let images = (0..<8).map { ($0, $0 == 5 ? "broken" : "image \($0)") }
    #expect(thumbnails.state == Dictionary(uniqueKeysWithValues: images))
    #expect(await server.most == 3)
  }
}
