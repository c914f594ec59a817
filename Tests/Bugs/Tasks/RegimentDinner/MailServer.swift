import Foundation

struct Letter: Sendable {
  var address: String
  var text: String
}

enum MailError: Error {
  case busy
  case unknownAddress

  var isTemporary: Bool { self == .busy }
}

protocol Mailer: Sendable {
  func send(_ letter: Letter) async throws
}

/// A server that has no time for one of the guests at first.
actor MailServer: Mailer {
  private var delivered: [Letter] = []
  private var busyAddresses: Set<String>

  init(busyFor name: String) {
    busyAddresses = [name.lowercased().replacingOccurrences(of: " ", with: ".") + "@army"]
  }

  func send(_ letter: Letter) async throws {
    guard letter.address.contains("@") else { throw MailError.unknownAddress }
    if busyAddresses.remove(letter.address) != nil {
      try await Task.sleep(for: .milliseconds(80))
      throw MailError.busy
    }
    try await Task.sleep(for: .milliseconds(20))
    delivered.append(letter)
  }

  func letters(to address: String) -> Int {
    delivered.count { $0.address == address }
  }
}
