public import AsyncKnot

extension Opticle {
  /// The confirmed states, which are the states without pending changes, beginning with the current one.
  ///
  /// <!-- sample: let archive = StateArchive<Feed.State>(storage: storage, encode: { _ in [] }, decode: { _ in .init() }) -->
  /// ```swift
  /// archive.follow(await feed.confirmed, in: saving) { error in print(error) }
  /// ```
  /// After the first read of this property, each commit copies the values that it changes. The sequence of
  /// states ends when the opticle and its knot are released, even if you keep this source.
  public var confirmed: Knot<State> {
    let desk = desk
    if let known = unsafe desk.source { return known }
    let source = Knot(desk.confirmed(on: self))
    unsafe desk.source = source
    desk.updateFlags()
    return source
  }

  /// The number of pending changes, including those made by `showing:`, such as spinners.
  public var pendingCount: Int { unsafe desk.log.pendingCount }
}
