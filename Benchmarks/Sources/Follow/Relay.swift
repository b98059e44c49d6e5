import AsyncDiff

/// The process that follows the list like a mirror, and answers followers like a source.
///
/// A line that begins with `up` comes from the source. The rest of this line is a message, or is empty if no message has arrived
/// for a while or the connection was lost. Any other line is a follower's request.
struct Relay {
  private let writer = LineWriter()

  func run() async {
    let relay = SnapshotRelay<Column>()
    let followers = Followers(writer) { relay.patches(since: $0, full: .whereNeeded) }
    for await line in lines() {
      guard line.hasPrefix("up") else {
        await followers.answer(line)
        continue
      }
      if let message = SnapshotMessage<Column>(line.dropFirst(3)) {
        do throws(MirrorError) {
          let outcome = try await relay.apply(message)
          writer.write("#took \(relay.snapshot.digest) \(name(of: outcome))")
        } catch {
          writer.write("#refused \(name(of: error))")
        }
      }
      writer.write("up \(relay.revision?.description ?? "-")")
    }
    await followers.end()
  }
}
