internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The lines of Chrome's format, one object each.
struct ChromeForm: TrackForm {
  private let words: TraceWords
  private let output: ByteOutput
  private let cells = CellCache()
  private let keys: TrackKeys
  private let moment = MomentText()
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
    keys = TrackKeys(words.definitions)
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
    var pen = line()
    switch counter {
    case .stream(let track):
      cells.write(UInt64(tracks[track].stream) << 8, Cell.counter.rawValue, to: &pen) {
        open(tracks[track].name, of: tracks[track].process, &$0)
      }
    case .queue(let scheduler):
      cells.write(UInt64(scheduler) << 8 | 1, Cell.counter.rawValue, to: &pen) {
        let name = "queue of \(words.scheduler(scheduler))"
        open(name, of: processes.place(ofScheduler: scheduler), &$0)
      }
    }
    moment.write(time, to: &pen)
    pen.put(",\"args\":{\"value\":")
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      pen.put(decimal: whole)
    } else {
      JSONText.write(value, to: &pen)
    }
    pen.put("}}")
    output.finish(&pen)
  }

  /// Writes what the lines of a counter begin with.
  private func open(_ counter: String, of process: Int, _ pen: inout Pen) {
    pen.put("{\"ph\":\"C\",\"name\":")
    JSONText.write(counter, to: &pen)
    pen.put(text: ",\"pid\":\(processes.all[process].pid),\"ts\":")
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
    let (head, refills) = (pen.at, pen.refills)
    put(place, event.time, &pen)
    let length = pen.at - head
    if let key = keys.key(event) {
      cells.write(key, Cell.name.rawValue, to: &pen) { put(name: event, &$0) }
    } else {
      put(name: event, &pen)
    }
    put(arguments: event, place, &pen)
    pen.put("}")
    // What a refill has taken away is written anew.
    if pen.refills != refills { return putArrows(event, place, &pen) }
    if event.isCause {
      pen.put(",\n{\"ph\":\"s\",")
      pen.put(padded: head, count: length)
      Self.put(TrackEvent.arrow(event.name), &pen)
    }
    if let cause = event.cause {
      pen.put(",\n{\"ph\":\"f\",\"bp\":\"e\",")
      pen.put(padded: head, count: length)
      Self.put(TrackEvent.arrow(cause), &pen)
    }
    for cause in event.otherCauses {
      pen.put(",\n{\"ph\":\"f\",\"bp\":\"e\",")
      pen.put(padded: head, count: length)
      Self.put(TrackEvent.arrow(cause), &pen)
    }
    output.finish(&pen)
  }

  @inline(never)
  private func putArrows(_ event: TrackEvent, _ place: TrackPlace, _ pen: inout Pen) {
    if event.isCause {
      pen.put(",\n{\"ph\":\"s\",")
      put(place, event.time, &pen)
      Self.put(TrackEvent.arrow(event.name), &pen)
    }
    for cause in [event.cause].compactMap({ $0 }) + event.otherCauses {
      pen.put(",\n{\"ph\":\"f\",\"bp\":\"e\",")
      put(place, event.time, &pen)
      Self.put(TrackEvent.arrow(cause), &pen)
    }
    output.finish(&pen)
  }

  /// Writes the rest of an arrow's line.
  @inline(__always)
  private static func put(_ arrow: UInt64, _ pen: inout Pen) {
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
    moment.write(time, to: &pen)
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

/// The time of an event as text, which the lines about it share.
private final class MomentText {
  // Safety: it belongs to the form, and nothing calls out while it changes.
  @exclusivity(unchecked) private var time = UInt64.max
  @exclusivity(unchecked) private var count = 0
  private let text = UnsafeMutablePointer<UInt8>.allocate(capacity: 32 + Pen.slack)

  init() { text.initialize(repeating: 0, count: 32 + Pen.slack) }

  deinit { text.deallocate() }

  /// Writes microseconds with three decimals.
  @inline(__always)
  func write(_ time: UInt64, to pen: inout Pen) {
    if time != self.time { make(time, pen) }
    pen.put(padded: text, count: count)
  }

  private func make(_ time: UInt64, _ pen: Pen) {
    var pen = Pen(output: pen.output, at: text, end: text + 32)
    pen.put(decimal: time / 1_000)
    pen.put(UInt8(ascii: "."))
    pen.put(time % 1_000, digits: 3)
    self.time = time
    count = pen.at - text
  }
}

extension Pen {
  /// Writes a number in hexadecimal digits, the room for sixteen of which is reserved.
  @inline(__always)
  fileprivate mutating func put(hex number: UInt64) {
    let count = max(1, (67 - number.leadingZeroBitCount) / 4)
    let digits = number << UInt64(64 - 4 * count)
    let place = UnsafeMutableRawPointer(at)
    place.storeBytes(of: Self.hex(digits >> 32).bigEndian, as: UInt64.self)
    (place + 8).storeBytes(of: Self.hex(digits & 0xffff_ffff).bigEndian, as: UInt64.self)
    at += count
  }

  /// Returns eight digits, the first of which is the highest byte.
  @inline(__always)
  private static func hex(_ number: UInt64) -> UInt64 {
    var nibbles = (number << 16 | number) & 0x0000_ffff_0000_ffff
    nibbles = (nibbles << 8 | nibbles) & 0x00ff_00ff_00ff_00ff
    nibbles = (nibbles << 4 | nibbles) & 0x0f0f_0f0f_0f0f_0f0f
    let letters = ((nibbles + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
    return nibbles + 0x3030_3030_3030_3030 + letters * 0x27
  }
}
