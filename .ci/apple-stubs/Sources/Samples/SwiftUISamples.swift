import AsyncKnot
import SwiftUI

struct ProfileScreen: View {
  let node: ProfileNode
  @SwiftUI.State private var profile: Observed<ProfileNode.State>

  init(node: ProfileNode) {
    self.node = node
    _profile = SwiftUI.State(initialValue: Observed(node))
  }

  var body: some View {
    VStack {
      Text(profile.title)
      Button("Rename") { Task { await node.reduce { $0.title = "renamed" } } }
    }
  }
}

private let node = ProfileNode()

private struct TitleScreen: View {
  @State private var profile = Observed(node)
  var body: some View { Text(profile.title) }  // only a changed title draws this again
}

struct UserRow: View {
  let profile: Observed<ProfileNode.State>

  var body: some View {
    VStack {
      Text(profile[\.user.name])
      Text(profile[\.rows, at: 0] ?? "no rows")
    }
  }
}

@MainActor final class TitleForm: KnotableView {
  struct State: KnotState {
    var title = ""
    var isPublic = false
    static func defaultState() -> State { State() }
  }
  nonisolated let knot = Knot<State>()

  func update(_ state: State) {}
}

struct TitleEditor: View {
  let form: TitleForm
  let shown: Observed<TitleForm.State>

  init(form: TitleForm) {
    self.form = form
    shown = Observed(form)
  }

  var body: some View {
    TextField(
      "Title",
      text: Binding(
        get: { @MainActor in shown.title },
        set: { @MainActor title in form.reduce { $0.title = title } }))
    Toggle(
      "Public",
      isOn: Binding(
        get: { @MainActor in shown.isPublic },
        set: { @MainActor isPublic in form.reduce { $0.isPublic = isPublic } }))
  }
}

struct UserRowPreviews: PreviewProvider {
  static var previews: some View {
    UserRow(profile: Observed(constant: ProfileNode.State(title: "Ann", rows: ["first"])))
  }
}
