internal import NIOCore
internal import NIOPosix
internal import VarvePlatform

/// Why there was no answer.
enum CollectorFailure: Error, Equatable, CustomStringConvertible {
  case timeout, closed, tooLong
  /// There was no connection to this host and port, for this reason.
  case unreachable(String, String)
  /// The connection broke, for this reason.
  case broken(String)

  /// Puts an error of the network into words.
  init(_ error: any Error, reaching place: String) {
    switch error {
    case let failure as CollectorFailure: self = failure
    case let failure as NIOConnectionError:
      // The last address that was tried; of a name without an address, why it has none.
      let last = failure.connectionErrors.last?.error
      self = .unreachable(place, last.map(Self.reason) ?? "no address is known for this name")
    case let failure as ChannelError:
      if case .connectTimeout = failure {
        self = .unreachable(place, Self.reason(failure))
      } else {
        self = .broken(Self.reason(failure))
      }
    default: self = .broken(Self.reason(error))
    }
  }

  /// Whether there was not even a connection.
  var isUnreachable: Bool {
    if case .unreachable = self { true } else { false }
  }

  var description: String {
    switch self {
    case .timeout: "it did not answer in time"
    case .closed: "it closed the connection without an answer"
    case .tooLong: "its answer is too long"
    case .unreachable(let place, let reason): "cannot connect to \(place): \(reason)"
    case .broken(let reason): "the connection broke: \(reason)"
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError:
      let words = String(cString: strerror(error.errnoCode))
      return words.prefix(1).lowercased() + words.dropFirst()
    case let error as ChannelError:
      if case .connectTimeout = error { return "it did not answer in time" }
      return "\(error)"
    default: return "\(error)"
    }
  }
}
