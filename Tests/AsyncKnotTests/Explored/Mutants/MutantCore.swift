/// What a `MutantCounter` and its observers share.
final class MutantCore: Sendable {
  enum Reading {
    case count(Count, version: Int)
    case wait(Int)
    case finished
  }

  private struct State {
    var count = Count()
    var version = 1
    var isFinished = false
    /// The places taken, with the continuation once there is one.
    var places: [Int: CheckedContinuation<Void, Never>?] = [:]
    var lastPlace = 0

    mutating func reserve() -> Int {
      lastPlace += 1
      places.updateValue(nil, forKey: lastPlace)
      return lastPlace
    }

    /// Empties all places, in the order in which they were taken.
    mutating func wake() -> [CheckedContinuation<Void, Never>] {
      defer { places = [:] }
      return places.sorted { $0.key < $1.key }.compactMap(\.value)
    }
  }

  let mutation: MutantCounter.Mutation
  private let state = Mutex(State())

  init(_ mutation: MutantCounter.Mutation) { self.mutation = mutation }

  var count: Count { state.withLock { $0.count } }
  var places: Int { state.withLock { $0.places.count } }

  func read(after seen: Int) -> Reading {
    let reading = state.withLock { state -> Reading? in
      if mutation == .endsEarly, state.isFinished { return .finished }
      if state.version != seen { return .count(state.count, version: state.version) }
      if state.isFinished { return .finished }
      return mutation == .registersLater ? nil : .wait(state.reserve())
    }
    preemptionPoint()
    return reading ?? .wait(state.withLock { $0.reserve() })
  }

  func write(_ count: Count) {
    let woken = state.withLock { state in
      state.count = count
      state.version += 1
      return state.wake()
    }
    preemptionPoint()
    for continuation in woken { continuation.resume() }
  }

  func wait(at place: Int, isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let isParked = state.withLock { state in
          guard state.places[place] != nil else { return false }
          state.places.updateValue(continuation, forKey: place)
          return true
        }
        if !isParked { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
        switch mutation {
        case .ignoresCancellation: return nil
        case .keepsPlace:
          guard let taken = state.places[place], let continuation = taken else { return nil }
          state.places.updateValue(nil, forKey: place)
          return continuation
        default: return state.places.removeValue(forKey: place) ?? nil
        }
      }
      continuation?.resume()
    }
  }

  func finish() {
    let woken = state.withLock { state in
      state.isFinished = true
      return mutation == .endsSilently ? [] : state.wake()
    }
    preemptionPoint()
    for continuation in woken { continuation.resume() }
  }
}
