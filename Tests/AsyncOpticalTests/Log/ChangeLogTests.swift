@testable import AsyncOptical

/// The log, tested without an opticle.
@Suite struct ChangeLogTests {
  /// Edits that do not commute: an even number is appended, and an odd number replaces everything.
  private typealias Log = ChangeLog<[Int], Int, String>

  private static func apply(_ edit: Int, _ state: inout [Int]) {
    if edit % 2 == 0 { state.append(edit) } else { state = [edit] }
  }

  /// A log and the state that a holder shows.
  private struct Shown {
    var log = Log()
    var state: [Int] = []

    mutating func step(_ transition: (inout Log, [Int]) -> Log.Effect?) {
      let apply: Log.Apply = {
        ChangeLogTests.apply($0, &$1)
        return nil
      }
      guard let effect = transition(&log, state) else { return }
      if case .apply(let edit) = effect { ChangeLogTests.apply(edit, &state) }
      if let made = log.close(effect, apply) { state = made }
      _ = log.takeSpent()
    }

    static var apply: Log.Apply {
      {
        ChangeLogTests.apply($0, &$1)
        return nil
      }
    }

    mutating func commit(_ edit: Int) {
      step { log, state in log.commit(edit, over: state, Self.apply) }
    }

    mutating func begin(expecting edit: Int?) -> Int {
      var place = 0
      step { log, state in
        let begun = log.begin(
          edit.map { .pending($0, "confirmed") } ?? .reserved, of: nil, over: state)
        place = begun.place
        return begun.effect
      }
      return place
    }

    mutating func answer(_ request: Int, _ edit: Int?, isLoad: Bool) {
      step { log, state in
        let hadSpinner = !log.remove { $0.request == request && $0.isShowing }.isEmpty
        log.endLoads { place, _ in place == request }
        var effect: Log.Effect?
        if isLoad {
          effect = edit.map { log.load($0, Self.apply) } ?? Log.Effect.none
        } else {
          effect = log.settle(request, as: edit, over: state, Self.apply)
          if effect == nil { effect = log.remove(request) ? .fold : Log.Effect.none }
        }
        return hadSpinner ? .fold : effect
      }
    }

    mutating func fail(_ request: Int, _ recover: Int?, isLoad: Bool) {
      step { log, state in
        let wasShown = !log.remove { $0.request == request }.isEmpty
        log.endLoads { place, _ in place == request }
        var effect = Log.Effect.none
        if let recover {
          effect =
            isLoad
            ? log.load(recover, Self.apply) : log.commit(recover, over: state, Self.apply)
        }
        return wasShown ? .fold : effect
      }
    }
  }

  @Test(
    "O15: after responses, failures and loads in random order, the log and the model show the same state",
    arguments: 0..<400 as Range<UInt64>)
  func oracle(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var model = LogModel<[Int], Int>([], apply: Self.apply)
    var shown = Shown()
    var loads: Set<Int> = []
    /// For each request of the model, its position in the log.
    var places: [Int: Int] = [:]
    for step in 1...120 {
      let edit = step * 4 + Int.random(in: 0...1, using: &generator)
      let request = model.open.randomElement(using: &generator)
      switch Int.random(in: 0..<9, using: &generator) {
      case 0:
        model.commit(edit)
        shown.commit(edit)
      case 1, 2:
        let expected = Bool.random(using: &generator) ? edit : nil
        places[model.begin(expecting: expected)] = shown.begin(expecting: expected)
      case 3 where loads.count < 3:
        let place = model.beginLoad()
        places[place] = shown.log.beginLoad(of: nil)
        loads.insert(place)
      case 4:
        guard let request, let place = places[request] else { continue }
        model.show(edit, during: request)
        shown.step { log, state in
          log.begin(.showing(edit), for: place, of: nil, over: state).effect
        }
      case 5:
        guard let request, let place = places[request] else { continue }
        let recover = Bool.random(using: &generator) ? edit : nil
        model.fail(request, recover)
        shown.fail(place, recover, isLoad: loads.remove(request) != nil)
      case 6 where Int.random(in: 0..<4, using: &generator) == 0: shown.log.dropConfirmed()
      default:
        guard let request, let place = places[request] else { continue }
        let answer = Bool.random(using: &generator) ? edit : nil
        model.answer(request, answer)
        shown.answer(place, answer, isLoad: loads.remove(request) != nil)
      }
      #expect(shown.state == model.shown, "step \(step)")
      if Int.random(in: 0..<3, using: &generator) > 0 { shown.log.keepConfirmed(Shown.apply) }
      if let confirmed = shown.log.confirmed {
        #expect(confirmed == model.confirmed, "step \(step)")
      } else if model.pendingCount == 0 {
        #expect(shown.state == model.confirmed, "step \(step)")
      }
      #expect(shown.log.pendingCount == model.pendingCount && shown.log.isIdle == model.isIdle)
    }
  }

  @Test(
    "O15: if 1,000 requests are answered in order, their changes are applied at most 2,000 times, and none is kept"
  )
  func inTurn() {
    var calls = 0
    let apply: Log.Apply = {
      calls += 1
      Self.apply($0, &$1)
      return nil
    }
    var (log, state) = (Log(), [0])
    let places = (0..<1_000).map { number in
      let begun = log.begin(.pending(number * 2, "confirmed"), of: nil, over: state)
      _ = apply(number * 2, &state)
      _ = log.close(begun.effect, apply)
      return begun.place
    }
    for place in places {
      guard let effect = log.settle(place, as: nil, over: state, apply) else { continue }
      #expect(log.close(effect, apply) == nil)
    }
    #expect(log.isIdle && calls <= 2_000)
  }

  @Test(
    "O15: if responses arrive newest first, the log keeps all changes until the oldest request is answered"
  )
  func newestFirst() {
    var shown = Shown()
    let places = (1...1_000).map { shown.begin(expecting: $0 * 2) }
    for place in places.reversed() {
      shown.answer(place, nil, isLoad: false)
      #expect(shown.log.count == (place == places[0] ? 0 : 1_000))
    }
    #expect(shown.state == (1...1_000).map { $0 * 2 })
  }

  @Test("O15: the log keeps only the changes since the oldest request that can still be answered")
  func kept() {
    var shown = Shown()
    let first = shown.begin(expecting: nil)
    for edit in 1...10 { shown.commit(edit * 2) }
    let second = shown.begin(expecting: 2)
    for edit in 1...10 { shown.commit(edit * 2) }
    #expect(shown.log.count == 22)
    shown.answer(first, nil, isLoad: false)
    #expect(shown.log.count == 11)
    shown.fail(second, nil, isLoad: false)
    #expect(shown.log.count == 0 && shown.log.isIdle)
  }
}
