import Foundation

enum Position: Sendable {
  case away(bridges: Int)
  case arrived
}

protocol DispatchClient: Sendable {
  func order(from pier: String) async throws -> Int
  func position(of ride: Int) async throws -> Position
}

enum DispatchError: Error {
  case unknownRide
}

actor Dispatcher: DispatchClient {
  private var rides: Set<Int> = []
  private(set) var questions = 0

  func order(from pier: String) async throws -> Int {
    try await Task.sleep(for: .milliseconds(20))
    rides.insert(pier.count)
    return pier.count
  }

  func position(of ride: Int) async throws -> Position {
    questions += 1
    let bridges = 7 - questions
    try await Task.sleep(for: .milliseconds(10))
    guard rides.contains(ride) else { throw DispatchError.unknownRide }
    return bridges > 0 ? .away(bridges: bridges) : .arrived
  }
}
