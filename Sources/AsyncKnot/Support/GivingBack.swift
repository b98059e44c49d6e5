/// An iterator that shares its elements with others, and takes one back that was taken for nothing.
@usableFromInline
protocol GivingBack: AsyncIteratorProtocol {
  /// Puts an element in front of all others, for another iterator to take.
  mutating func giveBack(_ element: Element)
}

extension AsyncIteratorProtocol {
  /// Puts an element back, if this iterator shares its elements with others.
  @usableFromInline
  mutating func giveBackIfShared(_ element: Element) {
    guard var sharing = self as? any GivingBack else { return }
    sharing.giveBack(opening: element)
  }
}

extension GivingBack {
  /// Puts an element back whose type is known to be this iterator's.
  fileprivate mutating func giveBack(opening element: Any) {
    if let element = element as? Element { giveBack(element) }
  }
}
