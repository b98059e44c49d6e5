/// A run as a page that needs no server and no network: the lines of its report, with a slider that shows the watched
/// values after each line.
struct SchedulePage {
  let title: String
  let report: LaneReport

  var text: String {
    var values: [String: String] = [:]
    // The first change of a value also contains its initial value.
    for change in report.run.steps.flatMap(\.changes) {
      let (name, old, _) = parts(of: change)
      if values[name] == nil { values[name] = "\(name) = \(old)" }
    }
    let lines = report.rows.map { steps, line in
      for change in steps.flatMap({ report.run.steps[$0].changes }) {
        let (name, _, value) = parts(of: change)
        values[name] = "\(name) = \(value)"
      }
      let shown = values.keys.sorted().compactMap { values[$0] }.joined(separator: "   ")
      return "<li data-values=\"\(escaped(shown))\">\(escaped(line))</li>"
    }
    return """
      <!doctype html><meta charset=utf-8><title>\(escaped(title))</title><style>
      body { font: 13px/1.6 ui-monospace, monospace; margin: 0; color: #1d1d1f; background: #fff }
      header { position: sticky; top: 0; background: #fff; border-bottom: 1px solid #ddd; padding: 12px 24px }
      h1 { font-size: 15px; margin: 0 0 8px }
      input { width: 60% }
      output { color: #7a3e00; display: block; min-height: 1.6em }
      ol, pre { list-style: none; padding: 0 24px }
      li { white-space: pre }
      .now { background: #dcebfa }
      .later { opacity: .4 }
      </style>
      <header><h1>\(escaped(title))</h1><input type=range min=0 max=\(lines.count - 1)><output></output></header>
      <pre>\(escaped(report.heads.joined(separator: "\n")))</pre><ol>
      \(lines.joined(separator: "\n"))
      </ol><script>
      const lines = [...document.querySelectorAll("li")], slider = document.querySelector("input")
      function show(step) {
        lines.forEach((line, index) => line.className = index == step ? "now" : index > step ? "later" : "")
        slider.value = step
        document.querySelector("output").textContent = lines[step].dataset.values
        lines[step].scrollIntoView({block: "nearest"})
      }
      slider.oninput = () => show(+slider.value)
      lines.forEach((line, index) => line.onclick = () => show(index))
      if (lines.length) show(lines.length - 1)
      </script>
      """
  }

  /// Splits "name: before -> after".
  private func parts(of change: String) -> (name: String, old: Substring, new: Substring) {
    let name = change.prefix { $0 != ":" }
    let rest = change.dropFirst(name.count + 2)
    let arrow = rest.ranges(of: " -> ").last
    return (
      String(name), arrow.map { rest[..<$0.lowerBound] } ?? rest,
      arrow.map { rest[$0.upperBound...] } ?? ""
    )
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}

extension SchedulePage {
  /// Renders the last 1,000 steps of a run, which are more than a report shows.
  init(title: String, run: RecordedRun) {
    self.init(title: title, report: LaneReport(run: run, limit: 1_000))
  }
}
