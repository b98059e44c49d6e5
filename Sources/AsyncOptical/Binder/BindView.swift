internal import AsyncKnot

/// A main-actor view that renders a binder's state and sends it commands.
///
/// <!-- sample: let view = SampleView() -->
/// ```swift
/// @MainActor final class SampleView: BindView {
///   let binding = ViewBinding<SampleBinder>()
///   let label = Label()
///
///   func state(viewBinder: SampleBinder) async {
///     viewBinder.watch.map(\.value).live(with: self, in: binding.bag) { view, value in
///       view.label.text = value
///     }
///   }
///   func command(viewBinder: SampleBinder) async { viewBinder.send(.fetch) }
/// }
///
/// view.viewBinder = SampleBinder()
/// ```
/// Setting the binder again, or to `nil`, ends the previous binding.
@MainActor
public protocol BindView: AnyObject, Sendable {
  /// The type of the view's binder; an opticle is possible, too.
  associatedtype ViewBinder: Dispatcher

  /// Ties the view to its binder.
  var binding: ViewBinding<ViewBinder> { get }

  /// Binds the binder's state to the view; called first.
  ///
  /// A loop over `viewBinder.states` is possible here and ends with the binding, but a running
  /// method keeps its view alive; `live(with:in:_:)` does not.
  func state(viewBinder: ViewBinder) async

  /// Binds the user's actions to commands; called when `state(viewBinder:)` has returned or
  /// suspended.
  func command(viewBinder: ViewBinder) async
}

/// A reusable cell: a view like any other.
public typealias BindCell = BindView

extension BindView {
  /// The binder; setting it binds state before commands.
  ///
  /// After that nothing of the previous binder is rendered. The binding never keeps the view alive.
  public var viewBinder: ViewBinder? {
    get { binding.viewBinder }
    set {
      let bag = binding.begin(newValue)
      guard let newValue else { return }
      _ = Errand.none {
        bag.add { @Sendable @MainActor [weak self] in await self?.run(newValue) }
      }
    }
  }

  /// Sets `viewBinder`, and waits until `state(viewBinder:)` and `command(viewBinder:)` have returned.
  ///
  /// The call keeps the view alive until it returns. Cancelling the waiting task ends the binding.
  ///
  /// - Parameter viewBinder: The binder to bind.
  public func bind(to viewBinder: ViewBinder) async {
    let bag = binding.begin(viewBinder)
    let task = Errand.none {
      Spawn.task { @Sendable @MainActor in await self.run(viewBinder) }
    }
    bag.add(task)
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      bag.cancel()
    }
  }

  private func run(_ viewBinder: ViewBinder) async {
    guard !Task.isCancelled else { return }
    // The main actor runs this task once `state` has suspended or returned.
    let command = Spawn.task { @Sendable @MainActor [weak self] in
      if !Task.isCancelled { await self?.command(viewBinder: viewBinder) }
    }
    binding.bag.add(command)
    await state(viewBinder: viewBinder)
    await command.value
  }
}
