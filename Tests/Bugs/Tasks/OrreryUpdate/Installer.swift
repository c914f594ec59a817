import Foundation

enum UpdateError: Error {
  case unknownVersion
  case connectionLost
}

actor Installer {
  private let link: OrreryLink

  init(link: OrreryLink) {
    self.link = link
  }

  func install(
    _ version: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let blocks = try await link.blocks(of: version)
    for (number, block) in blocks.enumerated() {
      try await link.write(block)
      progress(Double(number + 1) / Double(blocks.count))
    }
  }
}

struct OrreryLink: Sendable {
  func blocks(of version: String) async throws -> [[UInt8]] {
    try await Task.sleep(for: .milliseconds(30))
    guard version.hasPrefix("3.") else { throw UpdateError.unknownVersion }
    return (0..<5).map { [UInt8](repeating: $0, count: 1_024) }
  }

  func write(_ block: [UInt8]) async throws {
    guard !block.isEmpty else { throw UpdateError.connectionLost }
    try await Task.sleep(for: .milliseconds(40))
  }
}
