import AsyncOptical
import Testing

/// The samples of the article on undo and redo.
actor TextEditor: Opticle {
  struct State: Sendable, Equatable { var text = "", cursor = 0 }
  enum Request: Sendable { case type(String), move(Int) }
  enum Response: Sendable { case typed(String), moved(Int) }
  let knot = Knot(State())

  func dispatch(_ request: Request) async {
    switch request {
    case .type(let text): commit(.typed(text))
    case .move(let cursor): commit(.moved(cursor))
    }
  }
  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .typed(let text):
      state.text += text
      state.cursor = state.text.count
    case .moved(let cursor): state.cursor = cursor
    }
  }
  func recover(_ state: inout State, request: Request, error: any Error) {}
}

actor Canvas: Opticle {
  enum Request: Sendable { case draw(String), undo, redo }
  let knot = Knot<[String]>([])
  private var history: UndoHistory<Canvas>?

  func dispatch(_ request: Request) async {
    let history = history ?? UndoHistory(of: self)
    self.history = history
    switch request {
    case .draw(let shape): commit(shape)
    case .undo: undo(history)
    case .redo: redo(history)
    }
  }
  func mutate(_ state: inout [String], response: String) { state.append(response) }
  func recover(_ state: inout [String], request: Request, error: any Error) {}
}

@Suite struct UndoSamples {
  @Test("What is typed is undone and redone; where the cursor was is no step")
  func typing() async {
    let editor = TextEditor()
    let history = UndoHistory(of: editor, limit: 50) { cause in
      if case .response(.typed) = cause { true } else { false }
    }

    await editor.dispatch(.type("Hello"))
    await editor.dispatch(.type(", world"))
    await editor.dispatch(.move(3))
    #expect(history.undoCount == 2)
    await editor.undo(history)
    #expect(editor.state.text == "Hello")
    await editor.redo(history)
    #expect(editor.state == TextEditor.State(text: "Hello, world", cursor: 3))
  }

  @Test("An opticle that keeps its history undoes on request")
  func requests() async {
    let canvas = Canvas()
    for request in [Canvas.Request.draw("circle"), .draw("line"), .undo, .undo, .redo] {
      await canvas.dispatch(request)
    }
    #expect(canvas.state == ["circle"])
  }

  @Test("A binder's actions are steps")
  func binder() async {
    let search = SearchBinder()
    let history = UndoHistory(of: search) { cause in
      if case .action(.found) = cause { true } else { false }
    }
    await search.accept(.found("a"))
    await search.undo(history)
    #expect(search.state.text == "")
  }
}
