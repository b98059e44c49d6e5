private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

extension Exploration {
  /// Runs the plans of a source, and records the failures that occur, with their shortest schedules.
  ///
  /// In a Swift Testing test, a source of seeds records up to three failures of different kinds. Otherwise only the first failure
  /// is recorded. If `EXPLORE_REPLAY` names a schedule of this test, only that schedule runs. In a process that a ``TrapSearch``
  /// has started to find a shorter schedule, only the schedules that are shorter run.
  ///
  /// - Parameters:
  ///   - call: The name of the public function.
  ///   - source: The plans.
  ///   - sourceLocation: Where a failure is recorded.
  ///   - scenario: The code to run.
  /// - Returns: The source, and whether all runs passed.
  func record<Source: PlanSource>(
    _ call: String, _ source: Source, sourceLocation: SourceLocation,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> (source: Source, passed: Bool) {
    let replay = ReplayEnvironment.current()
    let mission = TrapSearch.Mission.current
    guard mission == nil || mission?.place == "\(sourceLocation)" else { return (source, true) }
    if source is SeedPlans, let test = Test.current, TrapSearch.isDue(self, replay),
      let (text, file) = TrapSearch(test: test, sourceLocation: sourceLocation).report()
    {
      let stored = store(file, of: test, at: sourceLocation, keeps: replay.keeps)
      Verdict.record("\(call): \(text)\(stored.words)", sourceLocation: sourceLocation)
      return (source, false)
    }
    if survivesTraps || replay.traps, !(source is SeedPlans) {
      Verdict.record(
        "\(call): survivesTraps and EXPLORE_TRAPS apply only to 'explore'; here, a trap ends the test process",
        isRemark: true, sourceLocation: sourceLocation)
    }
    let monitor = IssueMonitor(namesSeeds: source is SeedPlans)
    return await monitor.watch {
      let context = TestContext(
        test: Test.currentName, sourceLocation: sourceLocation, atDeath: mission?.report)
      defer { context.end() }
      // Take the issue of each run, even if the run has another reason to fail, so that the issue does not count for the next
      // run. A failed `#require` records an issue and throws.
      let judge: Judge = { _, reason in
        let issue = monitor.takeIssue()
        if case .threw = reason { return issue ?? reason }
        return reason ?? issue
      }
      var source = source
      var texts: [String] = []
      var isRemark = false
      let file = replay.file(of: Test.current)
      if let file, let mission, let budget = mission.shrinks {
        mission.report(
          isFewest: await runAllShorter(than: file, in: context, within: budget, scenario))
      } else if let file {
        texts = [await self.replay(file.plan, in: context, judge: judge, scenario).words]
          .compactMap(\.self)
      } else if replay.seed == nil,
        let failure = await replayKept(in: context, judge: judge, scenario)
      {
        texts = [failure]
      } else {
        // XCTest does not say which line failed, so its failures cannot be told apart.
        let limit = source is SeedPlans && Test.current != nil ? 3 : 1
        let result = await loop(
          over: &source, upTo: limit, in: context, judge: judge, scenario)
        if result.account.runs == 0, Task.isCancelled {
          Verdict.record(
            "\(call): the calling task was cancelled before the first run, so nothing is checked",
            isRemark: true, sourceLocation: sourceLocation)
          return (source, true)
        }
        if result.failures.isEmpty, !Task.isCancelled {
          if let asked = result.asked {
            show(asked, call)
          } else if let seed = replay.seed {
            Verdict.record(
              "\(call): EXPLORE_SEED needs the number of a run of this search; got \(seed)",
              isRemark: true, sourceLocation: sourceLocation)
          }
        }
        for (failure, failed) in result.failures {
          if case .noChoice = failure.reason { isRemark = isLent }
          var text = (texts.isEmpty ? "" : "another failure: ") + source.sentence(on: failure)
          if let recorder = failed?.plan.recorder {
            text += "\n\n\(LaneReport(run: recorder.run).text(of: failure))"
          } else if let failed, failure.isExplainable {
            monitor.silence(true)
            let explanation = await explain(
              failure, of: failed, in: context, judge: judge, scenario)
            monitor.silence(false)
            text +=
              "\n\n"
              + words(
                on: explanation, of: failure, by: failed.plan, call, in: context,
                keeps: replay.keeps)
          }
          texts.append(text)
          if Test.current != nil {
            Attachment.record(
              "\(text)\n\n\(result.account)\n", named: "exploration.txt",
              sourceLocation: sourceLocation)
          }
        }
      }
      let lost = Control.message.map { "\n\n\($0)" } ?? ""
      for text in texts {
        Verdict.record(
          "\(call): \(text)\(lost)", isRemark: isRemark, sourceLocation: sourceLocation)
      }
      guard texts.isEmpty else { return (source, false) }
      if !source.isComplete, replay.seed == nil, let failure = context.failure {
        Verdict.record(
          "\(call): \(source.sentence(on: failure)), and the search was not completed",
          isRemark: true, sourceLocation: sourceLocation)
      }
      if leavesNothing, !Control.seesEnds {
        Verdict.record(
          "\(call)(leavesNothing:) checked nothing. \(Control.message ?? "")",
          isRemark: true, sourceLocation: sourceLocation)
      } else if !Control.unseen.isEmpty, !allowing.contains(.missingSeams) {
        Verdict.record(
          "\(call): all runs pass, but they may have used features that explore does not control here. \(Control.message ?? "")",
          isRemark: true, sourceLocation: sourceLocation)
      }
      return (source, true)
    }
  }

  /// Writes the page of a run that passed, if `EXPLORE_SEED` asked for that run.
  private func show(_ asked: FinishedRun, _ call: String) {
    guard let recorder = asked.plan.recorder, let path = Self.path(of: asked.plan.number)
    else { return }
    let title = "\(call): run \(asked.plan.number) passes"
    let page = SchedulePage(title: title, run: recorder.run)
    if writeFile(page.text, at: path + ".html") {
      writeError("\(title); open \(path).html in a browser to see it\n")
    }
  }

  /// Describes a schedule, and writes it to a replay file and a page.
  private func words(
    on explanation: Explanation?, of failure: ExplorationFailure, by plan: RunPlan, _ call: String,
    in context: TestContext, keeps: Bool
  ) -> String {
    guard let explanation else {
      if Task.isCancelled {
        return "The test was cancelled before the shortest schedule was found."
      }
      return
        """
        The run took a different path when it was repeated: something in the scenario does not follow the seed. \
        Set Exploration.runsTwice to see where.
        """
    }
    var text = "\(explanation.headline)\n\n\(explanation.report.text(of: failure))"
    guard let test = Test.current else { return text }
    let file = ReplayFile(
      test: test.replayName, seed: failure.seed, switches: explanation.switches,
      cancelsAfter: plan.cancelsAfter)
    let stored = store(file, of: test, at: context.sourceLocation, keeps: keeps)
    text += stored.words
    guard let path = stored.path else { return text }
    let page = SchedulePage(title: "\(call): \(failure)", run: explanation.report.run)
    if writeFile(page.text, at: path + ".html") { text += "\n\(path).html shows it in a browser" }
    return text
  }

  /// Keeps a schedule if `EXPLORE_KEEP` asks for it, and writes the schedule to a replay file.
  ///
  /// - Returns: The sentences of a report about both, and the path of the replay file without its extension. The path is `nil` if
  ///   the file was not written.
  private func store(
    _ file: ReplayFile, of test: Test, at sourceLocation: SourceLocation, keeps: Bool
  ) -> (words: String, path: String?) {
    let words = keeps ? "\n\n" + KeptSchedules(of: test, at: sourceLocation).keep(file) : ""
    guard let path = Self.path(of: file.seed), writeFile(file.text, at: path + ".schedule") else {
      return (words, nil)
    }
    return (words + "\n\nEXPLORE_REPLAY=\(path).schedule replays this schedule", path)
  }

  /// The path of a run's files, without an extension; `nil` outside a test.
  ///
  /// Several reports of a test, for example for several arguments, get different paths.
  private static func path(of number: UInt64) -> String? {
    guard let test = Test.current else { return nil }
    let words = test.replayName.split { !$0.isLetter && !$0.isNumber }
    let path = "\(temporaryFolder)/explore-\(words.joined(separator: "-"))-\(number)"
    let count = reports.withLock { reports in
      reports[path, default: 0] += 1
      return reports[path, default: 0]
    }
    return count == 1 ? path : "\(path)-\(count)"
  }

  /// The number of reports that this process has written for each path.
  private static let reports = OwnMutex([String: Int]())

  /// Runs the schedules that are shorter than a file's; returns whether all of them have run.
  ///
  /// One of these schedules may end the process.
  private func runAllShorter(
    than file: ReplayFile, in context: TestContext, within budget: Duration,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Bool {
    var exploration = self
    exploration.patience = repeatedPatience
    // A file does not say whether the exploration interrupts jobs.
    let isMixed = Chooser(strategy, seed: file.seed, interrupts: interrupts).isMixed
    let plan = file.plan.taking(Chooser(following: file.switches, isMixed: isMixed))
    var shrinker = Shrinker(plan, budget: budget) { [exploration] plan in
      (await exploration.run(plan, in: context, scenario), fails: false)
    }
    return await shrinker.shrink(Schedule(of: plan, taking: file.switches)).isFewest
  }

  /// Replays the schedule of a file and records where the program diverges from it.
  func replay(
    _ plan: RunPlan, in context: TestContext, judge: Judge,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Replayed {
    let recorder = RunRecorder()
    var plan = plan
    plan.recorder = recorder
    let finished = await run(plan, in: context, scenario)
    let failure = failure(of: finished, judge)
    let script = finished.schedule.chooser.script
    var divergence: String?
    if let (step, reason) = script.divergence {
      divergence = "the program diverged at step \(step + 1): \(reason)"
    } else if script.unmet > 0 {
      divergence =
        "the program diverged: it never reached \(script.unmet) of the schedule's forced switches"
    }
    return Replayed(
      failure: failure, divergence: divergence, report: LaneReport(run: recorder.run))
  }
}

extension ReplayEnvironment {
  /// The schedule that `EXPLORE_REPLAY` names; `nil` if there is none or it belongs to another test.
  ///
  /// Traps if the file cannot be read. If no test replays the schedule, a message says so when the process ends.
  fileprivate func file(of test: Test?) -> ReplayFile? {
    guard let path = schedule, let test else { return nil }
    guard let text = readFile(at: path), let file = ReplayFile(text: text) else {
      fatalError(
        """
        EXPLORE_REPLAY: needs the .schedule file that a failure report names; got "\(path)", which \
        cannot be read as a schedule
        """)
    }
    _ = Self.reportsUntaken
    guard file.test == test.replayName else { return nil }
    Self.wasTaken.store(true, ordering: .relaxed)
    return file
  }

  /// Whether a test has replayed the schedule.
  private static let wasTaken = Atomic(false)

  private static let reportsUntaken: Void = {
    _ = atexit {
      guard !wasTaken.load(ordering: .relaxed) else { return }
      let path = environmentVariable("EXPLORE_REPLAY") ?? ""
      let test = readFile(at: path).flatMap { ReplayFile(text: $0) }?.test ?? ""
      writeError("EXPLORE_REPLAY: no test replayed \(path), which belongs to the test \(test)\n")
    }
  }()
}

extension Test {
  /// The name of the running test of Swift Testing or XCTest; `a test` if neither reports one.
  static var currentName: String { current?.replayName ?? Verdict.xctestName ?? "a test" }

  /// The module, the suites and the function, for example `ZooTests.AccountTests/isNeverOverdrawn()`.
  var replayName: String {
    // The last part is a position in the file, which an edit would change.
    let parts = "\(id)".split(separator: "/")
    return parts.dropLast(parts.count > 1 ? 1 : 0).joined(separator: "/")
  }
}
