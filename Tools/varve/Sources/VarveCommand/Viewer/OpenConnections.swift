internal import NIOCore
internal import VarveProbe

/// The connections of the viewer's server, so that they can be closed before it ends.
///
/// An answer that is being written waits for a page that does not read it. It stops when its
/// connection is closed.
final class OpenConnections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isOver = false
  }

  private let state = Lock<State>(State())

  /// Notes a connection; closes it if the server is ending.
  func add(_ channel: any Channel) {
    let isLate = state.withLock { state in
      if !state.isOver { state.channels[ObjectIdentifier(channel)] = channel }
      return state.isOver
    }
    if isLate { channel.close(promise: nil) }
  }

  /// Forgets a connection that has been closed.
  func remove(_ channel: any Channel) {
    state.withLock { $0.channels[ObjectIdentifier(channel)] = nil }
  }

  /// Closes all connections, and those that come later. Not to be called by an event loop.
  func close() {
    let channels = state.withLock { state in
      state.isOver = true
      return Array(state.channels.values)
    }
    for channel in channels { try? channel.close().wait() }
  }
}
