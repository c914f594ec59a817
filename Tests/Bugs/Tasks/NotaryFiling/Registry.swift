import Foundation

enum FilingStatus: Sendable {
  case queued(position: Int)
  case inReview
  case registered(folio: Int)
  case rejected(String)
}

protocol RegistryClient: Sendable {
  func submit(_ deed: Deed) async throws -> Int
  func status(of ticket: Int) async throws -> FilingStatus
}

/// A registry that needs five questions until it is done.
actor Registry: RegistryClient {
  private var deeds: [Int: Deed] = [:]
  private(set) var questions = 0

  func submit(_ deed: Deed) async throws -> Int {
    try await Task.sleep(for: .milliseconds(20))
    let ticket = 7_001 + deeds.count
    deeds[ticket] = deed
    return ticket
  }

  func status(of ticket: Int) async throws -> FilingStatus {
    questions += 1
    let question = questions
    try await Task.sleep(for: .milliseconds(15))
    guard let deed = deeds[ticket] else { return .rejected("unknown ticket") }
    guard deed.pages > 0 else { return .rejected("an empty deed") }
    return switch question {
    case 1...2: .queued(position: 3 - question)
    case 3...4: .inReview
    default: .registered(folio: 318)
    }
  }
}
