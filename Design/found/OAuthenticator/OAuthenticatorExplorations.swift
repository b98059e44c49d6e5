import ExploreTesting
import Foundation
import OAuthenticator
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `OAuthenticator` at 2b1f374.
@Suite struct OAuthenticatorExplorations {
  private struct Refused: Error {}

  /// A server that accepts each refresh token once, as RFC 9700 describes, and has revoked the first access token.
  private final class Server: Sendable {
    private let state = Mutex((number: 0, reused: 0))
    var reused: Int { state.withLock { $0.reused } }

    func accepts(_ token: String?) -> Bool {
      state.withLock { $0.number > 0 && token == "Bearer A\($0.number)" }
    }

    func refresh(_ token: String?) throws -> Login {
      try state.withLock { state in
        guard token == "R\(state.number)" else {
          state.reused += 1
          throw Refused()
        }
        state.number += 1
        return Login(
          accessToken: Token(value: "A\(state.number)", expiry: Date() + 3_600),
          refreshToken: Token(value: "R\(state.number)"))
      }
    }
  }

  private actor Store {
    private(set) var login: Login?
    init(_ login: Login) { self.login = login }
    func set(_ login: Login?) { self.login = login }
  }

  private func makeAuthenticator(_ server: Server, _ url: URL) -> Authenticator {
    let store = Store(
      Login(
        accessToken: Token(value: "A0", expiry: Date() + 3_600), refreshToken: Token(value: "R0")))
    let configuration = Authenticator.Configuration(
      appCredentials: AppCredentials(
        clientId: "id", clientPassword: "", scopes: [], callbackURL: url),
      loginStorage: LoginStorage(
        retrieveLogin: { await store.login }, storeLogin: { await store.set($0) },
        clearLogin: { await store.set(nil) }),
      tokenHandling: TokenHandling(
        authorizationURLProvider: { _ in throw Refused() }, loginProvider: { _ in throw Refused() },
        refreshProvider: { login, _, _ in
          await Task.yield()
          return try server.refresh(login.refreshToken?.value)
        }, responseStatusProvider: TokenHandling.refreshOrAuthorizeWhenUnauthorized),
      mode: .manualOnly, userAuthenticator: Authenticator.failingUserAuthenticator)
    return Authenticator(config: configuration) { request in
      await Task.yield()
      let isValid = server.accepts(request.value(forHTTPHeaderField: "Authorization"))
      guard
        let response = HTTPURLResponse(
          url: url, statusCode: isValid ? 200 : 401, httpVersion: nil, headerFields: nil)
      else { throw Refused() }
      return (Data(), response)
    }
  }

  @Test("Two requests that are refused refresh once, and both succeed")
  func refused() async throws {
    let url = try #require(URL(string: "https://example.org"))
    await explore(seeds: 1_000) {
      let server = Server()
      let authenticator = makeAuthenticator(server, url)
      let requests = (0..<2).map { _ in
        Task { try await authenticator.response(for: URLRequest(url: url)) }
      }
      for request in requests { _ = try await request.value }
      #expect(server.reused == 0)
    }
  }
}
