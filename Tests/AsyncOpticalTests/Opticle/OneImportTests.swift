/// Code that needs only `import AsyncOptical`.
@Suite struct OneImportTests {
  private actor Notes: Opticle {
    struct State: KnotState, Equatable {
      var notes: [String] = []
      static func defaultState() -> State { State() }
    }
    let knot = Knot<State>()
    private var history: UndoHistory<Notes>?

    func dispatch(_ request: String) async {
      if history == nil { history = UndoHistory(of: self, restoring: \.self) }
      commit(request)
      if request == "undo", let history {
        undo(history)
        undo(history)
      }
    }
    func mutate(_ state: inout State, response: String) { state.notes.append(response) }
    func recover(_ state: inout State, request: String, error: any Error) {}
  }

  private actor Switch: ViewBindable {
    let knot = Knot(false)
    func binding(command: Bool) async { accept(command) }
    func reduce(_ action: Bool, into state: inout Bool) { state = action }
  }

  @Test("One import is enough to write an opticle and a binder, and to use their states")
  func oneImport() async {
    let (notes, bag) = (Notes(), TaskBag())
    notes.send("a")
    for await state in notes.states where state.notes == ["a"] { break }
    #expect(notes.state.notes == ["a"])
    await notes.dispatch("undo")
    #expect(notes.state.notes == [])
    let light = Switch()
    light.send(true)
    for await isOn in light.watch where isOn { break }
    #expect(light.state)
    bag.cancel()
  }
}
