/// A run as a page of its own, which needs no server and no network: lanes, values, and a slider over the steps.
struct SchedulePage {
  let title: String
  let report: LaneReport

  var text: String {
    let steps = report.foldedSteps
    var values: [(name: String, value: String)] = []
    let rows = steps.enumerated().map { number, steps in
      for index in steps {
        for change in report.run.steps[index].changes {
          let parts = change.split(separator: ": ", maxSplits: 1).map(String.init)
          values.removeAll { $0.name == parts[0] }
          values.append((parts[0], parts.last?.components(after: " -> ") ?? ""))
        }
      }
      return row(number, steps, values.map { "\($0.name) = \($0.value)" })
    }
    let heads = report.shown.map {
      "<th><span>\(escaped(report.names[$0].description))</span></th>"
    }
    return Self.head(escaped(title), steps.count)
      + "<tr><th></th>\(heads.joined())<th class=what>step</th></tr>\n"
      + rows.joined(separator: "\n") + Self.tail
  }

  private func row(_ number: Int, _ steps: [Int], _ values: [String]) -> String {
    let last = steps[steps.count - 1]
    let isForced = report.run.steps[steps[0]].isForced
    let cells = report.cells(last).map { cell in
      cell == "*"
        ? "<td class=run><i></i></td>" : cell == "|" ? "<td class=wait><i></i></td>" : "<td></td>"
    }
    let changes = steps.flatMap { report.run.steps[$0].changes }
      .map { "<b>\(escaped($0))</b>" }.joined()
    let lane = escaped(report.names[report.run.steps[last].lane].description)
    return "<tr id=s\(number) \(isForced ? "class=forced " : "")"
      + "data-values=\"\(escaped(values.joined(separator: "\n")))\">"
      + "<td class=n>\(last + 1)</td>\(cells.joined())"
      + "<td class=what><em>\(lane)</em>\(escaped(report.words(for: steps)))\(changes)</td></tr>"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  private static func head(_ title: String, _ count: Int) -> String {
    """
    <!doctype html><meta charset=utf-8><title>\(title)</title><style>
    body{font:14px/1.5 system-ui,sans-serif;margin:0;color:#1d1d1f;background:#fff}
    header{position:sticky;top:0;background:#fff;border-bottom:1px solid #ddd;padding:12px 24px;z-index:1}
    h1{font-size:16px;margin:0 0 8px}label{display:flex;gap:12px;align-items:center}
    input{flex:1;max-width:640px}pre{margin:8px 0 0;min-height:1.5em;color:#7a3e00}
    table{border-collapse:collapse;margin:16px 24px}td,th{padding:0 7px;height:26px;text-align:center}
    th{vertical-align:bottom;font-weight:600}th span{writing-mode:vertical-rl;transform:rotate(180deg);
    max-height:15em;overflow:hidden}.what{text-align:left;white-space:nowrap;padding-left:20px}
    .n{color:#888;text-align:right}td i{display:block;margin:auto;width:2px;height:26px;background:#c8c8cc}
    td.run i{width:12px;height:12px;border-radius:6px;background:#0a66c2}em{font-style:normal;font-weight:600}
    .forced td.run i{background:#c2410c}.forced .n::after{content:" >";color:#c2410c}
    b{background:#fdf0d5;border-radius:4px;padding:1px 6px;margin-left:10px;font-weight:500}
    tr.now td{background:#e8f1fb}tr.later td>*,tr.later td{opacity:.35}
    @media(prefers-color-scheme:dark){body,header{background:#1c1c1e;color:#eee}tr.now td{background:#20374f}
    b{background:#4a3a12}pre{color:#e8b46a}}
    </style><header><h1>\(title)</h1><label>step <input type=range id=step min=0 max=\(count - 1)
    value=\(count - 1)><output id=at></output></label><pre id=values></pre></header><table>

    """
  }

  private static let tail = """

    </table><script>
    const rows=[...document.querySelectorAll("tr[id]")],slider=document.getElementById("step")
    function show(n,scroll){rows.forEach((r,i)=>{r.classList.toggle("now",i==n);r.classList.toggle("later",i>n)})
    slider.value=n;document.getElementById("at").textContent=rows[n].cells[0].textContent
    document.getElementById("values").textContent=rows[n].dataset.values.split("\\n").join("   ")
    if(scroll)rows[n].scrollIntoView({block:"nearest"})}
    slider.oninput=()=>show(+slider.value,true);rows.forEach((r,i)=>r.onclick=()=>show(i))
    onkeydown=e=>{const d={ArrowDown:1,ArrowUp:-1}[e.key];if(d){e.preventDefault()
    show(Math.min(rows.length-1,Math.max(0,+slider.value+d)),true)}};if(rows.length)show(rows.length-1)
    </script>
    """
}

extension String {
  /// What comes after the last occurrence of a separator.
  fileprivate func components(after separator: String) -> String {
    ranges(of: separator).last.map { String(self[$0.upperBound...]) } ?? self
  }
}
