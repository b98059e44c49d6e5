import Testing

@testable import LiveTop
@testable import ProcessBoard

@Suite struct BoardTests {
  private func reading(_ time: Double, _ processes: [(pid: Int, start: Int, used: Double)])
    -> Reading
  {
    Reading(
      time: time,
      processes: processes.map {
        Reading.Process(
          id: ProcessID(number: $0.pid, start: $0.start), user: "ada", name: "a", command: "a",
          processorTime: $0.used, memory: 1 << 20)
      }, memoryUsed: 1, memoryTotal: 4, load: 0.5, cores: 2)
  }

  @Test func rateIsTheDifferenceOfTwoReadings() {
    var board = Board()
    board.add(reading(10, [(1, 0, 5), (2, 0, 9)]))
    #expect(board.processes.map(\.row.cpu) == [0, 0])
    board.add(reading(12, [(1, 0, 6), (2, 0, 9)]))
    #expect(board.processes.map(\.row.cpu) == [500, 0])
    #expect(board.machine.now.cpu == 0.25)
    #expect(board.machine.now.memory == 0.25)
    #expect(board.number == 2)
  }

  @Test func reusedNumberIsANewProcess() {
    var board = Board()
    board.add(reading(1, [(7, 0, 5)]))
    board.add(reading(2, [(7, 1, 9)]))
    #expect(board.processes.map(\.row.cpu) == [0])
  }

  @Test func rateIsZeroIfAClockOrCounterGoesBack() {
    var board = Board()
    board.add(reading(5, [(1, 0, 5)]))
    board.add(reading(5, [(1, 0, 6)]))
    #expect(board.processes.map(\.row.cpu) == [0])
    board.add(reading(6, [(1, 0, 1)]))
    #expect(board.processes.map(\.row.cpu) == [0])
  }

  @Test func historyCoversTwoMinutesAtAnyRate() {
    for rate in [1, 2, 3, 4, 7, 100] {
      var machine = Machine()
      for step in 0...500 * rate {
        let time = Double(step) / Double(rate)
        machine.add(Machine.Moment(time: time, cpu: 0, memory: 0, load: 0))
      }
      #expect(machine.moments.count == min(rate, 2) * 120 + 1)
      #expect(machine.moments.last?.time == 500)
      #expect(machine.moments.first.map { 380...380.5 ~= $0.time } == true)
    }
  }

  @Test func chartEndsAtTheRightEdge() {
    let chart = Chart(
      [(time: 60, value: 0), (time: 90, value: 5), (time: 120, value: 20)], ceiling: 10)
    #expect(chart.line == "M300 100l150 -50l150 -50")
    #expect(chart.start == 300)
  }

  @Test func chartOfExtremeValuesIsValid() {
    #expect(Chart([], ceiling: 1).line == "")
    #expect(Chart([(time: 3, value: 9)], ceiling: 0).line == "M600 100")
    #expect(Chart([(time: 3, value: -9)], ceiling: 1).line == "M600 100")
  }

  @Test func equalSeedsGiveEqualSimulations() {
    var one = Simulation(seed: 5), same = Simulation(seed: 5), other = Simulation(seed: 6)
    for _ in 0..<50 { #expect(one.read() == same.read()) }
    let isOther = one.read() != other.read()
    #expect(isOther)
  }
}
