import Foundation

struct Deed: Sendable {
  var title: String
  var pages: Int
}

enum FilingError: Error {
  case rejected(String)
}

struct Filing: Sendable {
  let client: any RegistryClient
  private let pause = Duration.milliseconds(40)

  init(client: any RegistryClient) {
    self.client = client
  }

  func file(_ deed: Deed) async throws {
    let ticket = try await client.submit(deed)
    print("submitted, ticket \(ticket)")
    while true {
      switch try await client.status(of: ticket) {
      case .queued(let position):
        print("number \(position) in the queue")
      case .inReview:
        print("in review")
      case .registered(let folio):
        print("registered in folio \(folio)")
        break  // culprit
      case .rejected(let reason):
        throw FilingError.rejected(reason)
      }
      try await Task.sleep(for: pause)
    }
  }
}
