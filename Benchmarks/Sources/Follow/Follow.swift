/// The processes of `Benchmarks/check.sh`: a source changes a list, a relay forwards it, a mirror follows it, and an exporter
/// exports changes.
///
/// Each process writes lines to standard output. The source, the relay and the mirror also read lines from standard input.
/// `proxy.py`, which starts them, forwards their lines, except those that begin with `#`, which are for `proxy.py` itself.
@main
struct Follow {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst().makeIterator()
    let role = arguments.next()
    let seed = arguments.next().flatMap { UInt64($0) }
    let count = arguments.next().flatMap { Int($0) }
    switch (role, seed, count) {
    case ("source", let seed?, let edits?): await Source(seed: seed, edits: edits).run()
    case ("relay", nil, nil): await Relay().run()
    case ("mirror", nil, nil): await Mirror().run()
    case ("export", let seed?, let count?): try Export.run(seed: seed, count: count)
    default:
      print("usage: Follow source SEED EDITS | relay | mirror | export SEED CHANGES")
    }
  }
}
