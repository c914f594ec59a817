public import VarveFormat

/// The processes of several recordings in one trace, whose threads have names like `shop[4711] main`.
public struct ProcessNames: Sendable {
  private var names: [UInt32: String] = [:]

  /// Gathers the processes of a trace's threads; none, if all threads are of one recording.
  public init(_ threads: some Sequence<ThreadDefinition>) {
    for thread in threads {
      let recording = EventName.recording(thread.ring)
      guard recording != 0, names[recording] == nil else { continue }
      names[recording] = ThreadNames.process(of: thread)
    }
    if names.count < 2 { names = [:] }
  }

  /// The name of a recording's process; nil if there is only one.
  public subscript(recording: UInt32) -> String? { names[recording] }

  /// The processes, each with the number that its events' names begin with, in the order of these.
  public var numbered: [(number: UInt32, name: String)] {
    names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
