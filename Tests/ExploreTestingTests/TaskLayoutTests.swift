@testable import ExploreTesting
import ExploreTestingRuntime

#if os(Linux)
  /// Simulates runtimes that lay out tasks differently: the tests alter copies of the real memory before the probe reads them.
  @Suite struct TaskLayoutTests {
    private typealias Memory = TaskLayout.Memory

    private let known: TaskLayout

    init() throws { known = try #require(TaskLayout.probe()) }

    /// Alters the words that are read from tasks.
    private func tasks(_ alter: @escaping @Sendable (inout [UInt32]) -> Void) -> Memory {
      altered(alter) { $0 }
    }

    /// Alters the words that are read from records, that is, from any memory other than tasks.
    private func records(_ alter: @escaping @Sendable (inout [UInt32]) -> Void) -> Memory {
      altered(alter) { !$0 }
    }

    private func altered(
      _ alter: @escaping @Sendable (inout [UInt32]) -> Void,
      where isAltered: @escaping @Sendable (_ isTask: Bool) -> Bool
    ) -> Memory {
      let type = known.found.metadata
      return { address, count in
        guard let words = TaskLayout.ownMemory(address, count) else { return nil }
        let isTask = count > 16 && UInt(words[0]) | UInt(words[1]) << 32 == type
        // Other sizes are reads of a name, or of the single word that shows whether memory is readable.
        guard isAltered(isTask), isTask || count == 16 else { return words }
        // Read four more words than requested, so that `alter` can insert words.
        var more = TaskLayout.ownMemory(address, count + 4) ?? words
        alter(&more)
        return Array(more.prefix(count))
      }
    }

    @Test("X16: on this runtime, the kit finds every task field that it reads")
    func everything() {
      #expect(known.missing.isEmpty)
      #expect(known.found.cancelled.mask != 0 && known.found.reasons.3 != 0)
    }

    @Test("X16: the layout is found even if a task has an additional field")
    func movedInTasks() throws {
      let status = Int(known.found.cancelled.place / 4)
      let moved = try #require(
        TaskLayout.probe(tasks { $0.insert(contentsOf: [7, 0], at: status) }))
      // The pointer to the group's task follows the child task, so it moves too. A real runtime would also report a larger size.
      #expect(moved.missing.isEmpty)
      #expect(moved.found.cancelled.place == known.found.cancelled.place + 8)
      #expect(moved.found.record == known.found.record + 8)
    }

    @Test("X16: the layout is found even if the cancellation flag is a different bit")
    func movedFlag() throws {
      let (word, mask) = (Int(known.found.cancelled.place / 4), known.found.cancelled.mask)
      let moved = try #require(
        TaskLayout.probe(
          tasks { words in
            let isCancelled = words[word] & mask != 0
            words[word] &= ~mask
            if isCancelled { words[word] |= 1 << 17 }
          }))
      #expect(moved.missing.isEmpty)
      #expect(moved.found.cancelled.mask == 1 << 17)
    }

    @Test("X16: the layout is found even if a record has an additional field")
    func movedInRecords() throws {
      let moved = try #require(
        TaskLayout.probe(records { $0.insert(contentsOf: [0, 0], at: 4) }))
      #expect(moved.missing.isEmpty)
      #expect(moved.found.on == known.found.on + 8)
      #expect(moved.found.reason == known.found.reason + 8)
    }

    @Test("X16: a flag that appears twice is ambiguous, so it is not used")
    func twoFlags() throws {
      let (word, mask) = (Int(known.found.cancelled.place / 4), known.found.cancelled.mask)
      let two = try #require(
        TaskLayout.probe(tasks { if $0[word] & mask != 0 { $0[word] |= 1 << 19 } }))
      #expect(two.missing == [.cancellations])
      #expect(two.found.cancelled.mask == 0)
      #expect(two.found.ended.mask == known.found.ended.mask)
    }

    @Test("X16: if the word with the flags appears twice in a task, the kit uses no flag")
    func twoWords() throws {
      let word = Int(known.found.cancelled.place / 4)
      let two = try #require(TaskLayout.probe(tasks { $0[word + 1] = $0[word] }))
      #expect(two.missing == [.cancellations, .running, .ends, .waits])
    }

    @Test("X16: if a task has two lists of records, neither is used")
    func twoLists() throws {
      let place = Int(known.found.record / 4)
      let two = try #require(
        TaskLayout.probe(
          tasks { words in
            (words[place + 4], words[place + 5]) = (words[place], words[place + 1])
          }))
      #expect(two.missing == [.waits, .names])
      #expect(two.found.on == 0 && two.found.name == 0)
    }

    @Test("X16: if wait reasons look the same, reports omit only what tasks wait for")
    func sameReasons() throws {
      let reason = Int(known.found.reason / 4)
      let same = try #require(TaskLayout.probe(records { $0[reason] = min($0[reason], 1) }))
      #expect(same.missing == [.waits])
      #expect(same.found.on == 0)
      #expect(same.found.name == known.found.name)
    }

    @Test(
      "X16: if no field of a child task points to its group's task, only the group fields are missing"
    )
    func noParent() throws {
      let parent = Int(known.found.parent / 4)
      let none = try #require(TaskLayout.probe(tasks { $0[parent] ^= 8 }))
      #expect(none.missing == [.groups])
      #expect(none.found.inGroup == 0)
    }

    @Test("X16: if the task header has an unknown layout, no task field is read")
    func unknown() throws {
      let unknown = try #require(TaskLayout.probe(tasks { $0.insert(contentsOf: [0, 0], at: 4) }))
      #expect(unknown.missing == [.tasks])
      #expect(unknown.found.metadata == 0)
    }
  }
#endif
