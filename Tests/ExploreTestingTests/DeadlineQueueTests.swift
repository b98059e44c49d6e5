@testable import ExploreTesting

@Suite struct DeadlineQueueTests {
  @Test(
    "X1: jobs with equal deadlines run in the order in which they were added")
  func equalDeadlines() {
    var queue = DeadlineQueue<Int>()
    for (entry, seconds) in [(1, 5), (2, 3), (3, 5), (4, 3), (5, 5)] {
      queue.insert(entry, until: .seconds(seconds))
    }
    #expect(queue.nextDeadline == .seconds(3))
    #expect(queue.move(to: .seconds(4)) == [2, 4])
    #expect(queue.move(to: .seconds(5)) == [1, 3, 5])
    #expect(queue.nextDeadline == nil)
  }
}
