import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A history at an HTTP address: reads pages with GET and stores an entry with PUT.
struct WebService: HistoryService {
  let base: URL
  private let session: URLSession

  init(base: URL) {
    self.base = base
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration)
  }

  func page(named name: String) async throws -> Page {
    let data = try await answer(to: URLRequest(url: base.appending(path: name)), of: name)
    return try PageFile.decode(data, name: name)
  }

  func save(_ entry: Entry) async throws {
    let name = "entries/\(entry.id).json"
    var request = URLRequest(url: base.appending(path: name))
    request.httpMethod = "PUT"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(entry)
    _ = try await answer(to: request, of: name)
  }

  private func answer(to request: URLRequest, of name: String) async throws -> Data {
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await session.data(for: request)
    } catch let error as URLError {
      throw failure(error)
    }
    let code = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(code) else { throw ServiceFailure.status(code, of: name) }
    return data
  }

  private func failure(_ error: URLError) -> any Error {
    switch error.code {
    case .cancelled: CancellationError()
    case .cannotConnectToHost, .cannotFindHost, .networkConnectionLost:
      ServiceFailure("No connection to \(base.absoluteString).")
    case .timedOut: ServiceFailure("The service took too long to respond.")
    default: ServiceFailure("The connection failed: \(error.localizedDescription)")
    }
  }
}
