import Foundation

/// An ordinary view model, used as the sample in the README and in the article "Read a failure".
@MainActor final class TicketShop {
  private(set) var tickets = 1
  private let bank = Bank()

  func buy(for name: String) -> Task<Void, Never> {
    Task(name: name) {
      guard tickets > 0 else { return }
      await bank.charge(name)
      tickets -= 1
    }
  }
}

actor Bank {
  private var charged: [String] = []
  func charge(_ name: String) { charged.append(name) }
}

// This test fails, so it runs in a separate process.
@Suite(.enabled(if: TestProcess.isThis)) struct TicketTests {
  @Test func noTicketIsSoldTwice() async {
    await explore { @MainActor in
      let shop = TicketShop()
      watch("tickets", onMain: { shop.tickets })
      let buyers = [shop.buy(for: "Ann"), shop.buy(for: "Ben")]
      for buyer in buyers { await buyer.value }
      #expect(shop.tickets >= 0)
    }
  }
}

/// Tests that the documents show what the kit prints.
@Suite struct PrintedFailureTests {
  // A release build inlines different functions, and on other platforms the kit does not control the runtime.
  #if os(Linux) && DEBUG
    /// The file and line of a step, which a report has only with debug information and a tool that reads it.
    private static var line: Regex<Substring> { /\ \(\w+\.swift:\d+\)/ }

    @Test("X6: the documents show a failure exactly as it is printed")
    func documents() throws {
      let process = try TestProcess()
      let text = try process.run("TicketTests").text
        .replacingOccurrences(of: process.path, with: "/tmp")
      let start = try #require(text.range(of: "✘ Test noTicketIsSoldTwice()"))
      let end = try #require(text.range(of: "shows it in a browser"))
      let printed = text[start.lowerBound..<end.upperBound]
        .replacing(/\ +\n/, with: "\n").replacing(Self.line, with: "")
      let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
      let article = root.appending(
        path: "Sources/ExploreTesting/ExploreTesting.docc/ReadingAFailure.md")
      let isInArticle = try String(contentsOf: article, encoding: .utf8)
        .replacing(Self.line, with: "").contains(printed)
      #expect(isInArticle, "printed:\n\(printed)")
      let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        .replacing(Self.line, with: "")
      let isInReadme = readme.contains(printed) || !readme.contains("noTicketIsSoldTwice")
      #expect(isInReadme, "printed:\n\(printed)")
      let files = try FileManager.default.contentsOfDirectory(atPath: process.path).sorted()
      #expect(files.map { $0.suffix(7) } == ["-0.html", "chedule"])
      let page = try String(contentsOfFile: "\(process.path)/\(files[0])", encoding: .utf8)
      #expect(page.contains("tickets = -1"))
    }
  #endif
}
