@testable import LogWatch

extension LineDigest {
  init(of batch: LineBatch) { self.init(of: batch, parser: LogParser(year: 2024)) }

  init(_ text: String, filter: LineFilter = .none) {
    var splitter = LineSplitter()
    let batch = splitter.split(Array(text.utf8)[...])
    self.init(of: batch, parser: LogParser(year: 2024), filter: filter)
  }
}
