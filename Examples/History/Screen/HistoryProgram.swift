import AsyncKnot
import AsyncOptical
import TerminalUI

/// Handles the keys, and redraws the screen when a state changes.
@MainActor
final class HistoryProgram {
  let list: HistoryList
  private(set) var editor: EntryEditor?
  private(set) var selected = 0
  private let timeout: Duration
  private let bag = TaskBag()
  private let saving = TaskBag()
  /// Whether the saved entries may be overwritten; `false` if they could not be read.
  private var mayReplace = true
  private let draw: (Frame) -> Void
  var size: Size { didSet { redraw() } }

  init(
    service: any HistoryService, timeout: Duration, size: Size, draw: @escaping (Frame) -> Void
  ) {
    list = HistoryList(service: service, timeout: timeout)
    self.timeout = timeout
    self.size = size
    self.draw = draw
    list.watch.live(with: self, in: bag) { program, _ in program.redraw() }
  }

  /// The current screen.
  var frame: Frame {
    if let editor { return HistoryPicture.entry(editor.state, in: list.state, size: size) }
    return HistoryPicture.list(list.state, selected: selected, size: size)
  }

  /// Handles a key.
  ///
  /// Returns `false` to end the program.
  func press(_ key: Key) -> Bool {
    defer { redraw() }
    if key == .control("c") { return false }
    guard let editor else { return pressInList(key) }
    if editor.state.phase == .reading { return press(key, reading: editor) }
    switch key {
    case .enter: editor.send(.save)
    case .escape: editor.send(.abandon)
    case .backspace: editor.send(.backspace)
    case .control("z"): editor.send(.undo)
    case .control("y"): editor.send(.redo)
    case .character(let character): editor.send(.type(character))
    default: break
    }
    return true
  }

  private func press(_ key: Key, reading editor: EntryEditor) -> Bool {
    switch key {
    case .character("q"): return false
    case .character("e"): editor.send(.edit)
    case .character("f"): list.send(.follow(editor.state.entry.id))
    case .escape, .left: self.editor = nil
    default: break
    }
    return true
  }

  private func pressInList(_ key: Key) -> Bool {
    let entries = list.state.entries
    switch key {
    case .character("q"): return false
    case .up: selected = max(0, selected - 1)
    case .down: selected = max(0, min(entries.count - 1, selected + 1))
    case .character("f"):
      if entries.indices.contains(selected) { list.send(.follow(entries[selected].id)) }
    case .character("m"): list.send(.more)
    case .character("r"): list.send(.reload)
    case .character("c"):
      list.knot.bag.cancel()
      list.send(.stop)
    case .enter, .right:
      if entries.indices.contains(selected) { open(entries[selected]) }
    default: break
    }
    return true
  }

  private func open(_ entry: Entry) {
    let editor = EntryEditor(entry, in: list, timeout: timeout)
    self.editor = editor
    editor.watch.live(with: self, in: editor.knot.bag) { program, _ in program.redraw() }
  }

  private func redraw() {
    selected = max(0, min(selected, list.state.entries.count - 1))
    draw(frame)
  }
}

extension HistoryProgram {
  /// Restores the followed entries of earlier runs, loads the history, and saves every change of the followed entries.
  func start(_ archive: StateArchive<Followed>?) async {
    var archive = archive
    do {
      switch try await archive?.load() {
      case .nothing, nil: break
      case .state(let followed, _), .outdated(let followed):
        await list.dispatch(.followed(followed.ids))
      case .damaged(_, let place):
        await list.dispatch(
          .notice(
            "The followed entries cannot be read"
              + (place.map { "; renamed to \($0)." } ?? ".")))
      }
    } catch {
      // The saved entries may be readable in the next run, so do not overwrite them.
      archive = nil
      mayReplace = false
      await list.dispatch(.notice("The followed entries cannot be read now: \(error)"))
    }
    list.send(.reload)
    guard let archive else { return }
    list.watch.map(\.followed).live(in: saving) { [list] ids in
      do {
        try await archive.save(Followed(ids: ids))
      } catch {
        list.send(.notice("The followed entries cannot be saved: \(error)"))
      }
    }
  }

  /// Waits for the running save, and saves the followed entries one last time.
  func stop(_ archive: StateArchive<Followed>?) async throws {
    await saving.cancelAndWait()
    guard mayReplace else { return }
    try await archive?.save(Followed(ids: list.state.followed))
  }
}
