/// The HTML page of a recording, which loads no other resources.
struct Page {
  private let droppedCount: Int
  private let entries: [Entry]
  private let holders: [(holder: Watched, state: [StatePart])]

  init(_ content: EntryBuffer.Content) {
    droppedCount = content.droppedCount
    (entries, holders) = (content.all, content.holders)
  }

  var html: String {
    // The browser runs only scripts and applies only styles that carry this number.
    let nonce = String(UInt64.random(in: .min ... .max), radix: 36)
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; \
      form-action 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'">
      <title>Recorded run</title>
      <style nonce="\(nonce)">\(Self.style)</style>
      \(Self.body)
      <script id="run" type="application/json">\(json)</script>
      <script nonce="\(nonce)">\(Self.script)</script>

      """
  }

  private var json: String {
    var numbers: [ObjectIdentifier: Int] = [:]
    let holders = holders.enumerated().map { number, watched in
      numbers[ObjectIdentifier(watched.holder)] = number
      return #"{"name":\#(watched.holder.name.json),"state":\#(watched.state.map(\.json).json)}"#
    }
    let events = entries.map { entry in
      let number = numbers[ObjectIdentifier(entry.holder)] ?? 0
      return #"{"holder":\#(number),"parts":\#(entry.parts.map(\.json).json),\#(entry.json)}"#
    }
    return #"{"dropped":\#(droppedCount),"holders":\#(holders.json),"events":\#(events.json)}"#
  }
}

extension StatePart {
  fileprivate var json: String { [name.json, value?.json ?? "null", lines.map(\.json).json].json }
}

extension [String] {
  /// A JSON array of these strings, each of which is already a JSON value.
  fileprivate var json: String { "[\(joined(separator: ","))]" }
}

extension String {
  /// A JSON string in which `<` is escaped, so that the text cannot end the script element.
  var json: String {
    var json = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\0"..<" ", "\"", "\\", "<", "\u{2028}", "\u{2029}":
        json += "\\u" + String(0x10000 + scalar.value, radix: 16).dropFirst()
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}
