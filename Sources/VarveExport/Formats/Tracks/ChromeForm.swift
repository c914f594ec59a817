internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The lines of Chrome's format, one object each.
struct ChromeForm: TrackForm {
  private let words: TraceWords
  private let output: ByteOutput
  private let cells = CellCache()
  private let processes: TrackProcesses
  private let tids: [UInt32: UInt64]
  private let tracks: [StreamTracks.Track]
  /// The place of each track in the tree.
  private let ranks: [Int: Int]
  /// The number of the track of each lane, as far as it has been used.
  private var lanes: [[UInt32]]
  private var nextTrack: UInt32 = 1
  /// The numbers of the processes that have been named.
  private var named: Set<UInt32> = []
  private var isFirst = true

  private enum Cell: UInt8 { case thread, lane, name, counter, threadName }

  /// Room for a line without its value: five cells and some constant text.
  private static let lineBytes = 6 * CellCache.longest + 1_024
  private static let arrowBytes = CellCache.longest + 256

  init(
    _ words: TraceWords, _ tracks: StreamTracks, _ processes: TrackProcesses, output: ByteOutput
  ) {
    self.words = words
    self.output = output
    self.processes = processes
    self.tracks = tracks.tracks
    ranks = Dictionary(
      uniqueKeysWithValues: tracks.ordered.enumerated().map { ($1, $0) })
    lanes = tracks.tracks.map { _ in [] }
    tids = SystemThreads.numbers(words.definitions)
  }

  // MARK: - Names of tracks

  mutating func begin() {
    for process in processes.all[processes.named] { name(process.name, pid: process.pid) }
    for ring in words.definitions.threads.keys.sorted() {
      let process = processes.all[processes.place(ofRing: ring)]
      name(process.name, pid: process.pid)
      name("thread_name", processes.thread(ring, words), pid: process.pid, tid: tid(ring))
    }
  }

  /// Names a process, if it was not named yet.
  private mutating func name(_ process: String, pid: UInt32) {
    guard named.insert(pid).inserted else { return }
    name("process_name", process, pid: pid, tid: 0)
  }

  private func pid(_ ring: UInt32) -> UInt32 { processes.all[processes.place(ofRing: ring)].pid }

  /// The streams of a process are those of one whose number no process of the system has.
  private func streamsPid(_ process: Int) -> UInt32 {
    processes.all[process].pid & 0x3fff_ffff | 0x4000_0000
  }

  private func tid(_ ring: UInt32) -> UInt64 { tids[ring] ?? UInt64(ring) }

  private mutating func name(_ kind: String, _ text: String, pid: UInt32, tid: UInt64) {
    put(
      JSONMembers().adding("ph", "\"M\"").adding("pid", String(pid)).adding("tid", String(tid))
        .adding("name", "\"\(kind)\"")
        .adding("args", JSONMembers().adding("name", JSONText.quoted(text)).text))
  }

  /// Names the track of a lane when it is used first.
  @inline(__always)
  private mutating func declare(_ place: TrackPlace) {
    guard case .stream(let track, let lane) = place, lanes[track].count <= lane else { return }
    declare(track, lane)
  }

  @inline(never)
  private mutating func declare(_ track: Int, _ lane: Int) {
    let process = processes.all[tracks[track].process]
    let streamsPid = streamsPid(tracks[track].process)
    name("streams of \(process.name)", pid: streamsPid)
    while lanes[track].count <= lane {
      let (tid, number) = (UInt64(nextTrack), lanes[track].count)
      lanes[track].append(nextTrack)
      nextTrack += 1
      let depth = tracks[track].depth
      let indent = depth == 0 ? "" : String(repeating: "  ", count: depth - 1) + "└ "
      let text = indent + tracks[track].name + (number == 0 ? "" : " (\(number + 1))")
      name("thread_name", text, pid: streamsPid, tid: tid)
      let rank = (ranks[track] ?? 0) << 12 | number
      put(
        JSONMembers().adding("ph", "\"M\"").adding("pid", String(streamsPid))
          .adding("tid", String(tid)).adding("name", "\"thread_sort_index\"")
          .adding("args", JSONMembers().adding("sort_index", String(rank)).text))
    }
  }

  private mutating func put(_ members: JSONMembers) {
    output.write((isFirst ? "\n" : ",\n") + members.text)
    isFirst = false
  }

  // MARK: - Lines

  mutating func begin(_ event: TrackEvent, on place: TrackPlace) {
    write("{\"ph\":\"B\",", event, place)
  }

  mutating func instant(_ event: TrackEvent, on place: TrackPlace) {
    write("{\"ph\":\"i\",\"s\":\"t\",", event, place)
  }

  mutating func end(_ time: UInt64, then: String?, on place: TrackPlace) {
    declare(place)
    var pen = line()
    pen.put("{\"ph\":\"E\",")
    put(place, time, &pen)
    if let then {
      pen.put(",\"args\":{\"then\":\"")
      pen.put(text: then)
      pen.put("\"}")
    }
    pen.put("}")
    output.finish(&pen)
  }

  mutating func count(_ counter: TrackCounter, _ value: Double, at time: UInt64) {
    guard value.isFinite else { return }
    let process =
      switch counter {
      case .stream(let track): tracks[track].process
      case .queue(let scheduler): processes.place(ofScheduler: scheduler)
      }
    var pen = line()
    pen.put("{\"ph\":\"C\",\"name\":")
    switch counter {
    case .stream(let track):
      cells.write(UInt64(tracks[track].stream) << 8, Cell.counter.rawValue, to: &pen) {
        JSONText.write(tracks[track].name, to: &$0)
      }
    case .queue(let scheduler):
      cells.write(UInt64(scheduler) << 8 | 1, Cell.counter.rawValue, to: &pen) {
        JSONText.write("queue of \(words.scheduler(scheduler))", to: &$0)
      }
    }
    pen.put(",\"pid\":")
    pen.put(decimal: UInt64(processes.all[process].pid))
    pen.put(",\"ts\":")
    put(time, &pen)
    pen.put(",\"args\":{\"value\":")
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      pen.put(decimal: whole)
    } else {
      JSONText.write(value, to: &pen)
    }
    pen.put("}}")
    output.finish(&pen)
  }

  mutating func note(_ text: String, at time: UInt64, ring: UInt32) {
    let process = processes.all[processes.place(ofRing: ring)]
    name(process.name, pid: process.pid)
    var pen = line()
    pen.put("{\"ph\":\"i\",\"s\":\"t\",")
    put(.thread(ring), time, &pen)
    pen.put(",\"cat\":\"lost\",\"name\":")
    JSONText.write(text, to: &pen)
    pen.put("}")
    output.finish(&pen)
  }

  /// Begins a line.
  @inline(__always)
  private mutating func line(_ bytes: Int = 0) -> Pen {
    var pen = output.pen()
    pen.reserve(Self.lineBytes + bytes)
    if !isFirst { pen.put(UInt8(ascii: ",")) }
    isFirst = false
    pen.put(UInt8(ascii: "\n"))
    return pen
  }

  @inline(__always)
  private mutating func write(_ opening: StaticString, _ event: TrackEvent, _ place: TrackPlace) {
    declare(place)
    let text = JSONText.mostBytes(event.text.count)
    var pen = line(2 * text + Self.arrowBytes * (event.otherCauses.count + 2))
    pen.put(opening)
    put(place, event.time, &pen)
    if let key = words.trackKey(event) {
      cells.write(key, Cell.name.rawValue, to: &pen) { put(name: event, &$0) }
    } else {
      put(name: event, &pen)
    }
    put(arguments: event, place, &pen)
    pen.put("}")
    if event.isCause { put("s\"", TrackEvent.arrow(event.name), event.time, place, &pen) }
    if let cause = event.cause {
      put("f\",\"bp\":\"e\"", TrackEvent.arrow(cause), event.time, place, &pen)
    }
    for cause in event.otherCauses {
      put("f\",\"bp\":\"e\"", TrackEvent.arrow(cause), event.time, place, &pen)
    }
    output.finish(&pen)
  }

  private func put(
    _ phase: StaticString, _ arrow: UInt64, _ time: UInt64, _ place: TrackPlace, _ pen: inout Pen
  ) {
    pen.put(",\n{\"ph\":\"")
    pen.put(phase)
    pen.put(",")
    put(place, time, &pen)
    pen.put(",\"cat\":\"cause\",\"name\":\"cause\",\"id\":\"0x")
    pen.put(hex: arrow)
    pen.put("\"}")
  }

  /// Writes the track and the moment.
  @inline(__always)
  private func put(_ place: TrackPlace, _ time: UInt64, _ pen: inout Pen) {
    switch place {
    case .thread(let ring):
      cells.write(UInt64(ring), Cell.thread.rawValue, to: &pen) {
        $0.put(text: "\"pid\":\(pid(ring)),\"tid\":\(tid(ring)),\"ts\":")
      }
    case .stream(let track, let lane):
      cells.write(UInt64(track) << 16 | UInt64(lane), Cell.lane.rawValue, to: &pen) {
        let pid = streamsPid(tracks[track].process)
        $0.put(text: "\"pid\":\(pid),\"tid\":\(lanes[track][lane]),\"ts\":")
      }
    }
    put(time, &pen)
  }

  /// Writes microseconds with three decimals.
  @inline(__always)
  private func put(_ time: UInt64, _ pen: inout Pen) {
    pen.put(decimal: time / 1_000)
    pen.put(UInt8(ascii: "."))
    pen.put(time % 1_000, digits: 3)
  }

  /// Writes what events of a name have in common, up to their first argument.
  private func put(name event: TrackEvent, _ pen: inout Pen) {
    pen.put(",\"cat\":\"")
    pen.put(text: event.kind.name)
    pen.put("\",\"name\":")
    JSONText.write(words.trackName(event), to: &pen)
    pen.put(",\"args\":{")
    if !event.kind.isHop, event.kind != .subscribed, let place = words.places.exact(event.stream) {
      pen.put("\"place\":")
      JSONText.write("\(place.file):\(place.line)", to: &pen)
      pen.put(",")
    }
  }

  @inline(__always)
  private func put(arguments event: TrackEvent, _ place: TrackPlace, _ pen: inout Pen) {
    pen.put("\"event\":\"")
    pen.put(event.name)
    pen.put("\"")
    if case .stream = place {
      pen.put(",\"thread\":")
      cells.write(UInt64(event.name.ring), Cell.threadName.rawValue, to: &pen) {
        JSONText.write(words.thread(event.name.ring), to: &$0)
      }
    }
    if let task = event.task { put(task: task, of: event, &pen) }
    put(value: event, &pen)
    if let reason = event.reason {
      pen.put(",\"reason\":\"")
      pen.put(text: reason)
      pen.put("\"")
    }
    pen.put("}")
  }

  private func put(task: NamedTask, of event: TrackEvent, _ pen: inout Pen) {
    pen.put(",\"task\":")
    pen.put(decimal: task.number)
    if event.kind.isHop {
      pen.put(",\"scheduler\":")
      JSONText.write(words.scheduler(event.stream), to: &pen)
    }
    if let maker = event.maker {
      pen.put(",\"made_by\":")
      pen.put(decimal: maker)
    }
  }

  @inline(__always)
  private func put(value event: TrackEvent, _ pen: inout Pen) {
    guard let payload = event.payload else { return }
    switch payload {
    case .absent, .stream, .reason, .cause, .withheld, .task, .awaited, .made: return
    default: pen.put(",\"value\":")
    }
    switch payload {
    case .integer: pen.put(decimal: Int64(bitPattern: event.word))
    case .unsigned: pen.put(decimal: event.word)
    case .real: JSONText.write(Double(bitPattern: event.word), to: &pen)
    case .boolean: event.word == 0 ? pen.put("false") : pen.put("true")
    case .string, .description, .typeOnly: JSONText.write(event.text, to: &pen)
    case .bytes:
      pen.put("\"")
      for byte in event.text { TerminalText.putHex(byte, to: &pen) }
      pen.put("\"")
    case .null: pen.put("null")
    case .unit: pen.put("\"()\"")
    case .absent, .stream, .reason, .cause, .withheld, .task, .awaited, .made: break
    }
    if payload.rawValue >= PayloadKind.string.rawValue,
      payload.rawValue <= PayloadKind.description.rawValue,
      event.word > UInt64(event.text.count)
    {
      pen.put(",\"value_bytes\":")
      pen.put(decimal: event.word)
    }
  }
}

extension Pen {
  /// Writes a number with sixteen hexadecimal digits.
  @inline(__always)
  fileprivate mutating func put(hex number: UInt64) {
    for place in 0..<16 {
      let nibble = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15
      put(nibble < 10 ? 0x30 + nibble : 0x57 + nibble)
    }
  }
}
