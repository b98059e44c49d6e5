import Measure

@main
struct StateBenchmarks {
  /// Runs the parts that the arguments name, or all parts if there are no arguments.
  static func main() async {
    let parts: [(name: String, run: @Sendable () async -> Void)] = [
      ("storm", measureStorm),
      ("reductions", measureReductions),
      ("fan-out", measureFanOut),
      ("bursts", measureBursts),
      ("producers", measureProducers),
      ("channels", measureChannels),
      ("main-actor", measureMainActor),
      ("subscriptions", measureSubscriptions),
      ("memory", measureIdleObservers),
    ]
    let wanted = CommandLine.arguments.dropFirst()
    Report.header("State sequences")
    for part in parts where wanted.isEmpty || wanted.contains(part.name) {
      await Task.detached(operation: part.run).value
    }
  }
}
