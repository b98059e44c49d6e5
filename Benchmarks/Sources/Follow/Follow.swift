/// The processes of `Follow/check.sh`: one changes a list, one forwards it, one follows it, and
/// one exports changes.
///
/// They exchange lines on standard input and output, which the program that starts them forwards. A line that begins
/// with `#` is for that program.
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
