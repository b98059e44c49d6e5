/// The rules of the log in their simplest form: nothing is cached, and every state is recomputed.
struct LogModel<State, Edit> {
  private enum Status {
    case reserved, pending(Edit), showing(Edit), settled(Edit, at: Int)
  }

  private(set) var base: State
  private let apply: (Edit, inout State) -> Void
  private var entries: [(place: Int, request: Int, status: Status)] = []
  private var loads: [Int] = []
  private var now = 0

  init(_ base: State, apply: @escaping (Edit, inout State) -> Void) {
    (self.base, self.apply) = (base, apply)
  }

  var isIdle: Bool { entries.isEmpty && loads.isEmpty }

  var pendingCount: Int {
    entries.count { entry in
      switch entry.status {
      case .pending, .showing: true
      case .reserved, .settled: false
      }
    }
  }

  var shown: State {
    entries.reduce(into: base) { state, entry in
      switch entry.status {
      case .reserved: break
      case .pending(let edit), .showing(let edit), .settled(let edit, _): apply(edit, &state)
      }
    }
  }

  var confirmed: State {
    entries.reduce(into: base) { state, entry in
      if case .settled(let edit, _) = entry.status { apply(edit, &state) }
    }
  }

  /// The requests that have begun and are not answered.
  var open: [Int] {
    entries.compactMap { entry in
      switch entry.status {
      case .reserved, .pending: entry.place
      case .showing, .settled: nil
      }
    } + loads
  }

  mutating func commit(_ edit: Edit) {
    now += 1
    entries.append((now, now, .settled(edit, at: now)))
    compact()
  }

  mutating func begin(expecting edit: Edit?) -> Int {
    now += 1
    entries.append((now, now, edit.map { .pending($0) } ?? .reserved))
    return now
  }

  mutating func show(_ edit: Edit, during request: Int) {
    now += 1
    entries.append((now, request, .showing(edit)))
  }

  mutating func beginLoad() -> Int {
    now += 1
    loads.append(now)
    return now
  }

  /// Answers a request; `nil` confirms the expected edit.
  mutating func answer(_ request: Int, _ edit: Edit?) {
    now += 1
    removeSpinner(of: request)
    if let load = loads.firstIndex(of: request) {
      loads.remove(at: load)
      if let edit { apply(edit, &base) }
    } else if let index = entries.firstIndex(where: { $0.place == request }) {
      if let edit {
        entries[index].status = .settled(edit, at: now)
      } else if case .pending(let known) = entries[index].status {
        entries[index].status = .settled(known, at: now)
      } else {
        entries.remove(at: index)
      }
    }
    compact()
  }

  /// Removes a request.
  ///
  /// The `recover` edit of a load is applied to the base, and the `recover` edit of any other request on top of all edits.
  mutating func fail(_ request: Int, _ recover: Edit?) {
    let isLoad = loads.contains(request)
    entries.removeAll { $0.request == request }
    loads.removeAll { $0 == request }
    if let recover {
      if isLoad { apply(recover, &base) } else { commit(recover) }
    }
    compact()
  }

  private mutating func removeSpinner(of request: Int) {
    entries.removeAll { entry in
      if case .showing = entry.status { entry.request == request } else { false }
    }
  }

  private mutating func compact() {
    let oldest = loads.first ?? .max
    while case .settled(let edit, let moment)? = entries.first?.status, moment < oldest {
      apply(edit, &base)
      entries.removeFirst()
    }
  }
}
