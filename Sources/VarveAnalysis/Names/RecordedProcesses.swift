package import VarveFormat

/// The processes that a trace is of: one, or those whose recordings were merged.
package struct RecordedProcesses: Sendable {
  package struct Process: Sendable, Hashable {
    /// The name of the program, without the folder.
    package var program: String
    package var pid: UInt32
  }

  /// The processes, in the order of their recordings. Numbers of processes may recur: those in other
  /// containers are often alike.
  package let all: [Process]
  private let places: [UInt32: Int]

  /// Finds the processes. A merged trace tells them by the names of its threads.
  package init(_ header: TraceHeader, _ definitions: TraceDefinitions) {
    let named = ProcessNames(definitions.threads.values).numbered
    var all: [Process] = []
    var places: [UInt32: Int] = [:]
    for (number, name) in named {
      places[number] = all.count
      all.append(Self.process(named: name))
    }
    if all.isEmpty {
      let program = header.process.program
      all = [
        Process(
          program: program.split(separator: "/").last.map(String.init) ?? program,
          pid: header.process.pid)
      ]
    }
    self.all = all
    self.places = places
  }

  /// Whether there are several.
  package var areSeveral: Bool { all.count > 1 }

  /// Returns the place of the process of a thread among all; nil if the trace does not say which of
  /// several it is.
  package func place(ofRing ring: UInt32) -> Int? {
    areSeveral ? places[EventName.recording(ring)] : 0
  }

  /// Reads a name such as `shop[4711]`.
  private static func process(named name: String) -> Process {
    guard let bracket = name.lastIndex(of: "[") else { return Process(program: name, pid: 0) }
    let pid = UInt32(name[name.index(after: bracket)...].dropLast())
    return Process(program: String(name[..<bracket]), pid: pid ?? 0)
  }
}
