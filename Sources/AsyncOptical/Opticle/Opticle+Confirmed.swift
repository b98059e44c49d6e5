public import AsyncKnot

extension Opticle {
  /// The confirmed states, the current one first: without what is shown before its answer.
  ///
  /// <!-- sample: let archive = StateArchive<Feed.State>(storage: storage, encode: { _ in [] }, decode: { _ in .init() }) -->
  /// ```swift
  /// archive.follow(await feed.confirmed, in: saving) { error in print(error) }
  /// ```
  /// Each commit copies what it changes, from the first read on. The states end with the opticle, whoever
  /// keeps this source.
  public var confirmed: Knot<State> {
    let desk = desk
    if let known = unsafe desk.source { return known }
    let source = Knot(desk.confirmed(on: self))
    unsafe desk.source = source
    desk.updateFlags()
    return source
  }

  /// The number of changes that are shown and not yet answered, spinners included.
  public var pendingCount: Int { unsafe desk.log.pendingCount }
}
