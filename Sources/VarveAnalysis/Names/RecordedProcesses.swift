package import VarveFormat

/// The processes that a trace is of: one, or those whose recordings were merged.
package struct RecordedProcesses: Sendable {
  package struct Process: Sendable, Hashable {
    /// The number of the recording in the names of events; nil if the trace is of one process.
    package var number: UInt32?
    /// The name of the program, in a merged trace without the folder.
    package var program: String
    package var pid: UInt32
    /// The name of the host; nil if it is not known.
    package var host: String?
    /// When it began, in nanoseconds since 1970, UTC; nil if that is not known.
    package var started: UInt64?

    /// The name of the program without the folder.
    package var shortProgram: String {
      program.split(separator: "/").last.map(String.init) ?? program
    }
  }

  /// The processes, in the order of their recordings. Numbers of processes may recur: those in other
  /// containers are often alike.
  package private(set) var all: [Process]
  private let places: [UInt32: Int]

  /// Finds the processes. A merged trace tells them by the names of its threads, whatever its header
  /// says of the program and its process.
  package init(program: String, pid: UInt32, _ definitions: TraceDefinitions) {
    let named = ProcessNames(definitions.threads.values).numbered
    guard !named.isEmpty else {
      all = [Process(number: nil, program: program, pid: pid)]
      places = [:]
      return
    }
    all = named.map { number, name in
      var process = Self.process(number, named: name)
      let known = definitions.processes[number]?.process
      process.host = known.flatMap { $0.host.isEmpty ? nil : $0.host }
      process.started = known?.started
      return process
    }
    places = Dictionary(uniqueKeysWithValues: named.enumerated().map { ($1.number, $0) })
  }

  /// Finds the processes of the trace with a header.
  package init(_ header: TraceHeader, _ definitions: TraceDefinitions) {
    self.init(program: header.process.program, pid: header.process.pid, definitions)
    guard !areSeveral else { return }
    all[0].host = header.process.host.isEmpty ? nil : header.process.host
    all[0].started = header.process.started
  }

  /// Whether there are several.
  package var areSeveral: Bool { all.count > 1 }

  /// Returns the place of the process of a thread among all; nil if the trace does not say which of
  /// several it is.
  package func place(ofRing ring: UInt32) -> Int? {
    place(ofRecording: EventName.recording(ring))
  }

  /// Returns the place of the process of a recording among all.
  package func place(ofRecording number: UInt32) -> Int? { areSeveral ? places[number] : 0 }

  /// Reads a name such as `shop[4711]`.
  private static func process(_ number: UInt32, named name: String) -> Process {
    guard let bracket = name.lastIndex(of: "[") else {
      return Process(number: number, program: name, pid: 0)
    }
    let pid = UInt32(name[name.index(after: bracket)...].dropLast())
    return Process(number: number, program: String(name[..<bracket]), pid: pid ?? 0)
  }
}
