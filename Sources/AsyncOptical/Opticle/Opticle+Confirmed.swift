public import AsyncKnot

extension Opticle {
  /// The confirmed states, the current one first: without what is shown before its answer.
  ///
  /// <!-- sample: let archive = StateArchive<Feed.State>(storage: storage, encode: { _ in [] }, decode: { _ in .init() }) -->
  /// ```swift
  /// archive.follow(await feed.confirmed, in: saving) { error in print(error) }
  /// ```
  /// It costs a copy of what a commit changes, from the first read on. It ends with the opticle.
  public var confirmed: Knot<State> {
    let desk = desk
    if let known = unsafe desk.pending.source { return known }
    let source = Knot(unsafe desk.pending.confirmed ?? knot.state)
    unsafe desk.pending.source = source
    desk.updateFlags()
    return source
  }

  /// The number of changes that are shown and not yet answered, spinners included.
  public var pendingCount: Int { unsafe desk.pending.shown.count }
}
