/// A machine that does not exist: processes come, go, and change their rank, the same way for one seed.
///
/// Its clock goes one second forward with each reading, however fast they are taken.
struct Simulation: ProcessReader {
  private struct Actor {
    var process: Reading.Process
    /// The part of a processor that it uses now, and around which that swings.
    var rate: Double
    var habit: Double
    var isSettled: Bool
  }

  private var random: SeededNumbers
  private var actors: [Actor] = []
  private var second = 0
  private var lastNumber = 300
  private var busy = 0.0
  private var load = 1.2
  private static let cores = 8

  init(seed: UInt64) {
    random = SeededNumbers(seed: seed)
    for program in Self.programs { start(program, isSettled: true) }
    for _ in 0..<40 { startAny() }
  }

  mutating func read() -> Reading {
    second += 1
    var used = 0.0
    for index in actors.indices {
      var rate = actors[index].rate
      rate += (actors[index].habit - rate) * 0.2 + random.between(-0.5, 0.5) * (rate * 0.4 + 0.01)
      if random.chance(0.01) { rate = actors[index].habit * random.between(1, 6) }
      if random.chance(0.35) { rate = actors[index].habit * random.between(0, 0.2) }
      actors[index].rate = min(max(rate, 0), 2)
      actors[index].process.processorTime += actors[index].rate
      actors[index].process.memory = Int(
        Double(actors[index].process.memory) * (random.chance(0.2) ? random.between(0.97, 1.03) : 1))
      used += actors[index].rate
    }
    for _ in 0..<Int(random.between(0, 4)) {
      let index = Int(random.between(0, Double(actors.count)))
      if !actors[index].isSettled { actors.remove(at: index) }
    }
    for _ in 0..<Int(random.between(0, 4)) where actors.count < 160 { startAny() }
    busy += min(used, Double(Self.cores))
    load += (used - load) * 0.05
    return Reading(
      time: Double(second), processes: actors.map(\.process),
      memoryUsed: actors.reduce(2 << 30) { $0 + $1.process.memory }, memoryTotal: 32 << 30,
      load: load, cores: Self.cores, busyTime: busy)
  }

  private mutating func startAny() {
    start(Self.programs[Int(random.between(0, Double(Self.programs.count)))], isSettled: false)
  }

  private mutating func start(_ program: Program, isSettled: Bool) {
    lastNumber += 1 + Int(random.between(0, 9))
    let habit = program.habit * random.between(0.4, 1.2)
    actors.append(
      Actor(
        process: Reading.Process(
          id: ProcessID(number: lastNumber, start: second), user: program.user,
          name: program.name, command: program.command,
          processorTime: random.between(0, 400) * program.habit,
          memory: Int(random.between(0.5, 1.5) * Double(program.megabytes)) << 20),
        rate: habit, habit: habit, isSettled: isSettled))
  }

  private struct Program {
    var user: String, name: String, command: String
    var habit: Double
    var megabytes: Int
  }

  private static let programs = [
    ("ada", "swift-frontend", "swift-frontend -c -primary-file Board.swift -O", 0.8, 420),
    ("ada", "sourcekit-lsp", "sourcekit-lsp", 0.12, 310),
    ("ada", "zsh", "-zsh", 0.002, 9), ("ada", "vim", "vim Design/README.md", 0.01, 24),
    ("ada", "git", "git fetch --all --prune", 0.05, 31),
    ("ben", "firefox", "/usr/lib/firefox/firefox", 0.32, 890),
    ("ben", "Isolated Web Co", "/usr/lib/firefox/firefox -contentproc -isForBrowser", 0.18, 240),
    ("ben", "pipewire", "/usr/bin/pipewire", 0.03, 16),
    ("ben", "mpv", "mpv --shuffle ~/Music", 0.06, 75), ("ben", "bash", "bash", 0.001, 6),
    ("postgres", "postgres", "postgres: checkpointer", 0.02, 64),
    ("postgres", "postgres", "postgres: walwriter", 0.015, 22),
    ("postgres", "postgres", "postgres: shop orders 127.0.0.1(49822) SELECT", 0.22, 120),
    ("www-data", "nginx", "nginx: worker process", 0.09, 28),
    ("www-data", "php-fpm8.3", "php-fpm: pool www", 0.14, 60),
    ("root", "systemd", "/sbin/init", 0.004, 13), ("root", "sshd", "sshd: ada [priv]", 0.003, 11),
    ("root", "kworker/2:1", "kworker/2:1-events", 0.02, 0),
    ("root", "dockerd", "/usr/bin/dockerd -H fd://", 0.05, 96),
    ("root", "cron", "/usr/sbin/cron -f", 0.001, 4),
    ("root", "nginx", "nginx: master process /usr/sbin/nginx", 0.001, 8),
  ].map { Program(user: $0.0, name: $0.1, command: $0.2, habit: $0.3, megabytes: $0.4) }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
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

  /// A number in a range, without its upper end.
  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) / 0x1p53
  }

  mutating func chance(_ probability: Double) -> Bool { between(0, 1) < probability }
}
