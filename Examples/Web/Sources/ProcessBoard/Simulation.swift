/// A simulated machine.
///
/// Its processes start, end and change their ranks in the same way for the same seed.
///
/// The machine's clock advances by one second with each reading.
public struct Simulation: ProcessReader {
  private struct Player {
    var process: Reading.Process
    /// The share of a processor that the process currently uses.
    var rate: Double
    /// The mean of `rate`.
    var habit: Double
    var isSettled: Bool
  }

  private var random: SeededNumbers
  private var players: [Player] = []
  private var second = 0
  private let most: Int
  private var lastNumber = 300
  private var busy = 0.0
  private var load = 1.2
  private static let cores = 8

  /// Creates a machine with at least `processes` processes.
  public init(seed: UInt64, processes: Int = 68) {
    random = SeededNumbers(seed: seed)
    most = max(160, processes + processes / 5)
    for program in Self.programs { start(program, isSettled: true) }
    while players.count < processes { startAny() }
  }

  /// Advances the machine by one second.
  public mutating func read() -> Reading {
    second += 1
    var used = 0.0
    for index in players.indices {
      var rate = players[index].rate
      rate += (players[index].habit - rate) * 0.2 + random.between(-0.5, 0.5) * (rate * 0.4 + 0.01)
      if random.chance(0.01) { rate = players[index].habit * random.between(1, 6) }
      if random.chance(0.35) { rate = players[index].habit * random.between(0, 0.2) }
      players[index].rate = min(max(rate, 0), 2)
      players[index].process.processorTime += players[index].rate
      players[index].process.memory = Int(
        Double(players[index].process.memory)
          * (random.chance(0.2) ? random.between(0.97, 1.03) : 1))
      used += players[index].rate
    }
    for _ in 0..<Int(random.between(0, 4)) {
      let index = Int(random.between(0, Double(players.count)))
      if !players[index].isSettled { players.remove(at: index) }
    }
    for _ in 0..<Int(random.between(0, 4)) where players.count < most { startAny() }
    busy += min(used, Double(Self.cores))
    load += (used - load) * 0.05
    return Reading(
      time: Double(second), processes: players.map(\.process),
      memoryUsed: min(players.reduce(2 << 30) { $0 + $1.process.memory }, 32 << 30),
      memoryTotal: 32 << 30,
      load: load, cores: Self.cores, busyTime: busy)
  }

  private mutating func startAny() {
    start(Self.programs[Int(random.between(0, Double(Self.programs.count)))], isSettled: false)
  }

  private mutating func start(_ program: Program, isSettled: Bool) {
    lastNumber += 1 + Int(random.between(0, 9))
    let habit = program.habit * random.between(0.4, 1.2)
    players.append(
      Player(
        process: Reading.Process(
          id: ProcessID(number: lastNumber, start: second), user: program.user,
          name: program.name, command: chosen(in: program.command),
          processorTime: random.between(0, 400) * program.habit,
          memory: Int(random.between(0.5, 1.5) * Double(program.megabytes)) << 20),
        rate: habit, habit: habit, isSettled: isSettled))
  }

  /// Replaces the braces in a string with one of the words in them.
  private mutating func chosen(in text: String) -> String {
    guard let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}") else {
      return text
    }
    let words = text[text.index(after: open)..<close].split(separator: ",")
    let word = words[Int(random.between(0, Double(words.count)))]
    return "\(text[..<open])\(word)\(text[text.index(after: close)...])"
  }

  private struct Program {
    var user: String, name: String, command: String
    var habit: Double
    var megabytes: Int
  }

  private static let programs = [
    (
      "ada", "swift-frontend", "swift-frontend -c -primary-file {Board,Tab,Chart,Routes}.swift",
      0.7, 420
    ),
    ("ada", "sourcekit-lsp", "sourcekit-lsp", 0.12, 310),
    ("ada", "zsh", "-zsh", 0.002, 9),
    ("ada", "vim", "vim Design/{patches,README,rooms}.md", 0.01, 24),
    ("ada", "git", "git {fetch --all --prune,status,gc --auto}", 0.05, 31),
    ("ada", "ld.lld", "ld.lld -o .build/debug/{LiveTop,Feed,History}", 0.4, 260),
    ("ada", "node", "node server.js --port {3000,8080}", 0.15, 140),
    ("ada", "make", "make -j8 {all,test,docs}", 0.02, 12),
    ("ben", "firefox", "/usr/lib/firefox/firefox", 0.32, 890),
    ("ben", "Isolated Web Co", "/usr/lib/firefox/firefox -contentproc {1,2,3,4}", 0.18, 240),
    ("ben", "pipewire", "/usr/bin/pipewire", 0.03, 16),
    ("ben", "mpv", "mpv --shuffle ~/Music/{Bach,Coltrane,Nina}", 0.06, 75),
    ("ben", "gnome-shell", "/usr/bin/gnome-shell", 0.11, 380),
    ("ben", "python3", "python3 {train,plot,clean}.py", 0.5, 520),
    ("ben", "bash", "bash", 0.001, 6),
    ("ben", "rsync", "rsync -a photos nas:{2024,2025}", 0.08, 18),
    ("postgres", "postgres", "postgres: checkpointer", 0.02, 64),
    ("postgres", "postgres", "postgres: shop {orders,items,users} 127.0.0.1 SELECT", 0.22, 120),
    ("postgres", "postgres", "postgres: autovacuum worker {shop,log}", 0.09, 40),
    ("www-data", "nginx", "nginx: worker process", 0.09, 28),
    ("www-data", "php-fpm8.3", "php-fpm: pool {www,shop,blog}", 0.14, 60),
    ("www-data", "redis-server", "redis-server 127.0.0.1:{6379,6380}", 0.05, 44),
    ("root", "systemd", "/sbin/init", 0.004, 13),
    ("root", "sshd", "sshd: {ada,ben} [priv]", 0.003, 11),
    ("root", "kworker", "kworker/{0:1,1:2,2:0,3:1}-events", 0.02, 0),
    ("root", "dockerd", "/usr/bin/dockerd -H fd://", 0.05, 96),
    ("root", "containerd", "/usr/bin/containerd", 0.04, 58),
    ("root", "cron", "/usr/sbin/cron -f", 0.001, 4),
  ].map { Program(user: $0.0, name: $0.1, command: $0.2, habit: $0.3, megabytes: $0.4) }
}

/// A SplitMix64 generator, which gives the same numbers for the same seed on every platform.
struct SeededNumbers: Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a number in a range that does not include its upper bound.
  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) / 0x1p53
  }

  mutating func chance(_ probability: Double) -> Bool { between(0, 1) < probability }
}
