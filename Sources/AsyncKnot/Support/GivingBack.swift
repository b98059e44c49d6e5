/// An iterator that shares its elements with other iterators and can put an unused element back.
@usableFromInline
protocol GivingBack: AsyncIteratorProtocol {
  /// Puts an element back in front of all others, so that another iterator takes it.
  ///
  /// - Parameter element: An element that this iterator took and did not use.
  mutating func giveBack(_ element: Element)
}

extension AsyncIteratorProtocol {
  /// Puts an element back if this iterator is a `GivingBack`; else does nothing.
  @usableFromInline
  package mutating func giveBackIfShared(_ element: Element) {
    guard var sharing = self as? any GivingBack else { return }
    sharing.giveBack(opening: element)
  }
}

extension GivingBack {
  /// Puts back an element whose type is this iterator's `Element`.
  fileprivate mutating func giveBack(opening element: Any) {
    if let element = element as? Element { giveBack(element) }
  }
}
