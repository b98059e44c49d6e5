import Testing

@testable import WebServer

@Suite struct HostGuardTests {
  private let hosts = HostGuard()

  @Test(arguments: ["127.0.0.1:8642", "localhost", "LOCALHOST:1", "[::1]:8642", "[::1]"])
  func serverNamesAreAllowed(host: String) {
    #expect(hosts.refusal(of: ["host": host]) == nil)
    #expect(hosts.refusal(of: ["host": host, "origin": "http://\(host)"]) == nil)
  }

  @Test(arguments: [
    "evil.test", "evil.test:8642", "127.0.0.1.evil.test", "127.0.0.2", "localhost.", "::1",
    "[::1]x",
    "localhost:80:80", "localhost:x", "", "localhost@evil.test", "[::1",
  ])
  func otherHostsAreRefused(host: String) {
    #expect(hosts.refusal(of: ["host": host]) == "the Host header does not name this server")
  }

  @Test func requestWithoutHostIsRefused() {
    #expect(hosts.refusal(of: [:]) == "the Host header is missing")
  }

  @Test(arguments: [
    "http://evil.test", "null", "https://localhost:1", "http://localhost", "http://localhost:2",
    "http://127.0.0.1:1", "", "http://localhost:1/",
  ])
  func otherOriginsAreRefused(origin: String) {
    #expect(
      hosts.refusal(of: ["host": "localhost:1", "origin": origin])
        == "the Origin header names another site")
  }

  @Test(
    arguments: zip(["same-origin", "none", "same-site", "cross-site"], [true, true, false, false]))
  func secFetchSiteIsChecked(site: String, isLetThrough: Bool) {
    let refusal = hosts.refusal(of: ["host": "localhost", "sec-fetch-site": site])
    #expect((refusal == nil) == isLetThrough)
  }

  @Test func listeningAddressIsAllowed() {
    let four = HostGuard(alsoCalled: "192.0.2.7")
    #expect(four.refusal(of: ["host": "192.0.2.7:80"]) == nil)
    let six = HostGuard(alsoCalled: "2001:DB8::7")
    #expect(six.refusal(of: ["host": "[2001:db8::7]:80"]) == nil)
    #expect(six.refusal(of: ["host": "2001:db8::7"]) != nil)
  }

  @Test(arguments: ["127.0.0.1", "::1", "192.0.2.7"])
  func numericAddressesAreValid(text: String) {
    #expect(Address(text)?.text == text)
  }

  @Test(arguments: ["0.0.0.0", "::", "localhost", "", "127.0.0.1:80", "[::1]", "1.2.3"])
  func wildcardsAndNamesAreInvalid(text: String) {
    #expect(Address(text) == nil)
  }
}
