internal import AsyncOptical

/// A recorded event, as text.
struct Entry: Sendable {
  let holder: Watched
  let kind: String
  let time: Int64
  /// The number of the event's message; 0 if there is none.
  let message: Int
  /// The number of the message that led to the event; 0 if there is none.
  let cause: Int
  let parts: [StatePart]
  /// The members of the entry's JSON object on the page, except the holder and the parts.
  let json: String
  /// The estimated memory of the entry and its parts, in bytes.
  let byteCount: Int

  init(
    _ kind: String, _ text: String = "", at time: Int64, of holder: Watched,
    parts: [StatePart] = [],
    message: TraceEvent.Message? = nil, cause: TraceEvent.Message? = nil
  ) {
    let name = message.map { $0.name.clipped(to: 80) } ?? ""
    (self.holder, self.kind, self.time, self.parts) = (holder, kind, time, parts)
    (self.message, self.cause) = (message?.id ?? 0, cause?.id ?? 0)
    json = """
      "time":\(time),"kind":\(kind.json),"text":\(text.json),"name":\(name.json),\
      "message":\(self.message),"cause":\(self.cause)
      """
    byteCount = parts.reduce(200 + json.utf8.count) { $0 + $1.byteCount }
  }

  init(_ event: TraceEvent, at time: Int64, of holder: Watched) {
    let (kind, text): (String, String) =
      switch event.kind {
      case .sent: ("sent", event.message.map { Excerpt.text($0.value, 200) } ?? "")
      case .waiting: ("waiting", "")
      case .started: ("started", "")
      case .joined: ("joined", "")
      case .retrying(let delay, let error):
        ("retrying", "after \(delay): \(Excerpt.text(error, 200))")
      case .timedOut(let limit): ("timedOut", "after \(limit)")
      case .changed(let cause, _, _): ("changed", cause.map { Excerpt.text($0, 200) } ?? "restored")
      case .ended(.failed(let error)): ("failed", Excerpt.text(error, 200))
      case .ended(let outcome): (Excerpt.text(outcome, 200), "")
      }
    var parts: [StatePart] = []
    if case .changed(_, let old, let new) = event.kind {
      parts = StatePart.changed(from: old, to: new)
    }
    self.init(
      kind, text, at: time, of: holder, parts: parts, message: event.message, cause: event.cause)
  }
}
