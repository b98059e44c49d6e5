/// Keeps an inbox registered with a knot or a channel until the iterators of its consumer are
/// dropped.
@usableFromInline
final class Subscription<Element: Sendable>: Sendable {
  @usableFromInline let inbox: Inbox<Element>
  private let end: @Sendable () -> Void

  init(_ inbox: Inbox<Element>, _ end: @escaping @Sendable () -> Void) {
    self.inbox = inbox
    self.end = end
  }

  deinit { end() }
}
