internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The packets of Perfetto's format. Names are sent once, and then by number; times are differences
/// from the packet before.
struct PerfettoForm: TrackForm {
  private let words: TraceWords
  private let output: ByteOutput
  private let processes: TrackProcesses
  private let started: UInt64
  private let tids: [UInt32: UInt64]
  private let tracks: [StreamTracks.Track]
  private let ranks: [Int: Int]
  /// The tracks that have been defined.
  private var lanes: [[UInt64]]
  private var counters: [UInt64?]
  private var queues = NumberTable<UInt64>()
  private var rings = NumberTable<UInt64>()
  private var nextTrack: UInt64
  /// The processes that have been defined, by their places.
  private var defined: Set<Int> = []
  /// The names that have been sent, by the parts of their keys.
  private var names: [NumberTable<UInt64>]
  private var nextName: UInt64 = Self.causeName + 1
  private var threadNames = NumberTable<UInt64>()
  private let keys: TrackKeys
  private var time: UInt64 = 0

  /// The tracks of a process that all others of it are below.
  private enum Root: UInt64, CaseIterable {
    case process = 1, streams, queues

    func uuid(_ process: Int) -> UInt64 { rawValue + UInt64(process * Self.allCases.count) }
  }

  /// The numbers of the fields that are written, from Perfetto's `.proto` files.
  private enum Field {
    enum Packet {
      static let clocks = 6, timestamp = 8, sequence = 10, event = 11, interned = 12, flags = 13
      static let clock = 58, defaults = 59, track = 60
    }
    enum Clock { static let clock = 1, id = 1, timestamp = 2, isIncremental = 3 }
    enum Interned { static let category = 1, name = 2, annotation = 3, text = 29, iid = 1, of = 2 }
    enum Track {
      static let uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8
      static let ordering = 11, rank = 12, description = 14
    }
    enum Process { static let pid = 1, name = 6 }
    enum Thread { static let pid = 1, tid = 2, name = 5 }
    enum Event {
      static let category = 3, annotation = 4, legacy = 6, type = 9, nameID = 10, track = 11
      static let name = 23, real = 44, flow = 47
    }
    enum Legacy { static let flow = 8, direction = 13 }
    enum Annotation {
      static let nameID = 1, boolean = 2, unsigned = 3, integer = 4, real = 5, text = 6, textID = 17
    }
  }

  private enum EventType: UInt64 { case begin = 1, end, instant, counter }
  private enum Argument: UInt64, CaseIterable {
    case event = 1, thread, value, reason, bytes, task, scheduler, maker, then

    var name: String {
      switch self {
      case .event: "event"
      case .thread: "thread"
      case .value: "value"
      case .reason: "reason"
      case .bytes: "value_bytes"
      case .task: "task"
      case .scheduler: "scheduler"
      case .maker: "made_by"
      case .then: "then"
      }
    }
  }

  /// Clocks by Perfetto's numbers: the day's, that of the trace, and ours, which counts from the
  /// packet before.
  private enum ClockID { static let real: UInt64 = 1, boot: UInt64 = 6, ours: UInt64 = 64 }
  /// Flags of a packet: it begins to send names; it uses names that were sent.
  private enum Flag { static let begins: UInt64 = 1, continues: UInt64 = 2 }

  /// The numbers of names that no event has.
  private static let causeName: UInt64 = 1

  init(
    _ words: TraceWords, _ tracks: StreamTracks, _ processes: TrackProcesses, started: UInt64,
    output: ByteOutput
  ) {
    self.words = words
    self.output = output
    self.processes = processes
    nextTrack = Root.process.uuid(processes.all.count)
    self.started = started
    self.tracks = tracks.tracks
    ranks = Dictionary(uniqueKeysWithValues: tracks.ordered.enumerated().map { ($1, $0) })
    lanes = tracks.tracks.map { _ in [] }
    counters = tracks.tracks.map { _ in nil }
    names = Array(repeating: NumberTable(), count: 256)
    keys = TrackKeys(words.definitions)
    tids = SystemThreads.numbers(words.definitions)
  }

  // MARK: - Definitions

  mutating func begin() {
    packet { message in
      message.add(Field.Packet.sequence, 1)
      message.add(Field.Packet.flags, Flag.begins)
      message.add(Field.Packet.clocks, clocks)
      message.add(
        Field.Packet.defaults, ProtobufMessage { $0.add(Field.Packet.clock, ClockID.ours) })
      message.add(Field.Packet.interned, firstNames)
    }
    for process in processes.named { define(process) }
    for ring in words.definitions.threads.keys.sorted() { _ = uuid(of: ring) }
  }

  /// Defines a process, if it was not defined yet.
  private mutating func define(_ process: Int) {
    guard defined.insert(process).inserted else { return }
    define { message in
      message.add(Field.Track.uuid, Root.process.uuid(process))
      message.add(
        Field.Track.process,
        ProtobufMessage {
          $0.add(Field.Process.pid, UInt64(processes.all[process].pid))
          $0.add(Field.Process.name, processes.all[process].name)
        })
    }
    for (root, name) in [(Root.streams, "streams"), (Root.queues, "queues of schedulers")] {
      define { message in
        message.add(Field.Track.uuid, root.uuid(process))
        message.add(Field.Track.parent, Root.process.uuid(process))
        message.add(Field.Track.name, name)
        message.add(Field.Track.ordering, 3)
      }
    }
  }

  private var clocks: ProtobufMessage {
    ProtobufMessage { message in
      for (id, time) in [(ClockID.real, started), (ClockID.boot, 0), (ClockID.ours, 0)] {
        message.add(
          Field.Clock.clock,
          ProtobufMessage {
            $0.add(Field.Clock.id, id)
            $0.add(Field.Clock.timestamp, time)
            if id == ClockID.ours { $0.add(Field.Clock.isIncremental, 1) }
          })
      }
    }
  }

  private var firstNames: ProtobufMessage {
    ProtobufMessage { message in
      message.add(Field.Interned.name, Self.interned(Self.causeName, "cause"))
      for kind in RecordKind.allCases {
        message.add(Field.Interned.category, Self.interned(UInt64(kind.rawValue), kind.name))
      }
      for argument in Argument.allCases {
        message.add(Field.Interned.annotation, Self.interned(argument.rawValue, argument.name))
      }
    }
  }

  private static func interned(_ iid: UInt64, _ text: String) -> ProtobufMessage {
    ProtobufMessage {
      $0.add(Field.Interned.iid, iid)
      $0.add(Field.Interned.of, text)
    }
  }

  private func packet(_ fill: (inout ProtobufMessage) -> Void) {
    output.write(bytes: ProtobufMessage { $0.add(1, ProtobufMessage(fill)) }.bytes)
  }

  private func define(_ fill: (inout ProtobufMessage) -> Void) {
    packet { message in
      message.add(Field.Packet.sequence, 1)
      message.add(Field.Packet.track, ProtobufMessage(fill))
    }
  }

  /// Sends a name, to be used by number from then on.
  private func intern(_ field: Int, _ iid: UInt64, _ text: String) {
    packet { message in
      message.add(Field.Packet.sequence, 1)
      message.add(Field.Packet.flags, Flag.continues)
      message.add(
        Field.Packet.interned, ProtobufMessage { $0.add(field, Self.interned(iid, text)) })
    }
  }

  // MARK: - Tracks

  @inline(__always)
  private mutating func uuid(of place: TrackPlace) -> UInt64 {
    switch place {
    case .thread(let ring): return rings[ring] ?? uuid(of: ring)
    case .stream(let track, let lane):
      if lane < lanes[track].count { return lanes[track][lane] }
      return add(track, lane)
    }
  }

  private mutating func newTrack() -> UInt64 {
    nextTrack += 1
    return nextTrack - 1
  }

  private mutating func uuid(of ring: UInt32) -> UInt64 {
    let process = processes.place(ofRing: ring)
    define(process)
    let uuid = newTrack()
    rings[ring] = uuid
    define { message in
      message.add(Field.Track.uuid, uuid)
      message.add(Field.Track.parent, Root.process.uuid(process))
      message.add(
        Field.Track.thread,
        ProtobufMessage {
          $0.add(Field.Thread.pid, UInt64(processes.all[process].pid))
          $0.add(Field.Thread.tid, tids[ring] ?? UInt64(ring))
          $0.add(Field.Thread.name, processes.thread(ring, words))
        })
    }
    return uuid
  }

  @inline(never)
  private mutating func add(_ track: Int, _ lane: Int) -> UInt64 {
    let process = tracks[track].process
    define(process)
    let parent = tracks[track].parent.map { uuid(of: .stream(track: $0, lane: 0)) }
    while lanes[track].count <= lane {
      let uuid = newTrack()
      lanes[track].append(uuid)
      define { message in
        message.add(Field.Track.uuid, uuid)
        message.add(Field.Track.parent, parent ?? Root.streams.uuid(process))
        message.add(Field.Track.name, tracks[track].name)
        message.add(Field.Track.ordering, 3)
        message.add(Field.Track.rank, UInt64(ranks[track] ?? 0))
        if let place = words.places.exact(tracks[track].stream) {
          message.add(Field.Track.description, "\(place.file):\(place.line)")
        }
      }
    }
    return lanes[track][lane]
  }

  private mutating func uuid(of counter: TrackCounter) -> UInt64 {
    let known =
      switch counter {
      case .stream(let track): counters[track]
      case .queue(let scheduler): queues[scheduler]
      }
    if let known { return known }
    let uuid = newTrack()
    let (parent, name): (UInt64, String)
    switch counter {
    case .stream(let track):
      counters[track] = uuid
      (parent, name) = (self.uuid(of: .stream(track: track, lane: 0)), tracks[track].name)
    case .queue(let scheduler):
      queues[scheduler] = uuid
      let process = processes.place(ofScheduler: scheduler)
      define(process)
      (parent, name) = (Root.queues.uuid(process), "queue of \(words.scheduler(scheduler))")
    }
    define { message in
      message.add(Field.Track.uuid, uuid)
      message.add(Field.Track.parent, parent)
      message.add(Field.Track.name, name)
      message.add(Field.Track.counter, ProtobufMessage())
    }
    return uuid
  }

  // MARK: - Events

  mutating func begin(_ event: TrackEvent, on place: TrackPlace) { write(event, .begin, place) }

  mutating func instant(_ event: TrackEvent, on place: TrackPlace) { write(event, .instant, place) }

  mutating func end(_ time: UInt64, then: String?, on place: TrackPlace) {
    let track = uuid(of: place)
    var packet = begin(.end, track, time)
    if let then {
      packet.annotation(Argument.then.rawValue) {
        $0.put(Field.Annotation.text) { $0.put(text: then) }
      }
    }
    packet.end()
    finish(&packet)
  }

  mutating func count(_ counter: TrackCounter, _ value: Double, at time: UInt64) {
    let track = uuid(of: counter)
    var packet = begin(.counter, track, time)
    packet.pen.put(field: Field.Event.real, fixed: value.bitPattern)
    packet.end()
    finish(&packet)
  }

  mutating func note(_ text: String, at time: UInt64, ring: UInt32) {
    let track = uuid(of: .thread(ring))
    packet { message in
      message.add(Field.Packet.sequence, 1)
      message.add(Field.Packet.timestamp, time)
      message.add(Field.Packet.clock, ClockID.boot)
      message.add(
        Field.Packet.event,
        ProtobufMessage {
          $0.add(Field.Event.type, EventType.instant.rawValue)
          $0.add(Field.Event.track, track)
          $0.add(Field.Event.name, text)
        })
    }
  }

  private mutating func write(_ event: TrackEvent, _ type: EventType, _ place: TrackPlace) {
    let track = uuid(of: place)
    let name = keys.key(event).map { key in
      names[Int(key & 0xff)][UInt32(truncatingIfNeeded: key >> 8)] ?? send(key, event)
    }
    var thread: UInt64?
    if case .stream = place { thread = threadNames[event.name.ring] ?? send(event.name.ring) }
    let isMark = event.kind == .log || event.kind == .mark
    let text = min(event.text.count, PacketPen.mostText)
    let title = event.task.map { $0.title.utf8.count } ?? 0
    let scheduler = event.task == nil ? 0 : words.scheduler(event.stream).utf8.count
    var packet = begin(
      type, track, event.time, room: (isMark ? 8 : 1) * text + title + scheduler)
    packet.pen.put(field: Field.Event.category, UInt64(event.kind.rawValue))
    if let name {
      packet.pen.put(field: Field.Event.nameID, name)
    } else {
      packet.pen.put(field: Field.Event.name, words.trackName(event), most: 7 * text + title + 600)
    }
    packet.short(Argument.event.rawValue) {
      $0.put(Field.Annotation.text) { $0.put(event.name) }
    }
    if let thread {
      packet.short(Argument.thread.rawValue) { $0.put(field: Field.Annotation.textID, thread) }
    }
    if let task = event.task { annotate(task, of: event, &packet) }
    annotate(event, text, &packet)
    if let reason = event.reason {
      packet.annotation(Argument.reason.rawValue) {
        $0.put(Field.Annotation.text) { $0.put(text: reason) }
      }
    }
    if event.isCause {
      packet.pen.put(field: Field.Event.flow, fixed: TrackEvent.arrow(event.name))
    }
    if let cause = event.cause { packet.cause(TrackEvent.arrow(cause)) }
    packet.end()
    finish(&packet)
    // An event has room for one arrow that leaves its cause free for others.
    for cause in event.otherCauses {
      var packet = begin(.instant, track, event.time)
      packet.pen.put(field: Field.Event.nameID, Self.causeName)
      packet.cause(TrackEvent.arrow(cause))
      packet.end()
      finish(&packet)
    }
  }

  private func annotate(_ task: NamedTask, of event: TrackEvent, _ packet: inout PacketPen) {
    packet.annotation(Argument.task.rawValue) {
      $0.put(field: Field.Annotation.unsigned, task.number)
    }
    if event.kind.isHop {
      packet.annotation(Argument.scheduler.rawValue) {
        $0.put(Field.Annotation.text) { $0.put(text: words.scheduler(event.stream)) }
      }
    }
    if let maker = event.maker {
      packet.annotation(Argument.maker.rawValue) {
        $0.put(field: Field.Annotation.unsigned, maker)
      }
    }
  }

  @inline(__always)
  private func annotate(_ event: TrackEvent, _ text: Int, _ packet: inout PacketPen) {
    guard let payload = event.payload else { return }
    let argument = Argument.value.rawValue
    switch payload {
    case .integer:
      packet.short(argument) { $0.put(field: Field.Annotation.integer, event.word) }
    case .unsigned:
      packet.short(argument) { $0.put(field: Field.Annotation.unsigned, event.word) }
    case .real:
      packet.short(argument) { $0.put(field: Field.Annotation.real, fixed: event.word) }
    case .boolean:
      packet.short(argument) { $0.put(field: Field.Annotation.boolean, event.word & 1) }
    case .string, .description, .typeOnly:
      let kept = UnsafeBufferPointer(rebasing: event.text.prefix(text))
      packet.annotation(argument) { $0.put(Field.Annotation.text, kept) }
      guard payload != .typeOnly, event.word > UInt64(text) else { return }
      packet.annotation(Argument.bytes.rawValue) {
        $0.put(field: Field.Annotation.unsigned, event.word)
      }
    case .unit, .null:
      packet.annotation(argument) {
        $0.put(Field.Annotation.text) { payload == .unit ? $0.put("()") : $0.put("nil") }
      }
    case .bytes, .absent, .withheld, .stream, .reason, .cause, .task, .awaited, .made: break
    }
  }

  private mutating func send(_ key: UInt64, _ event: TrackEvent) -> UInt64 {
    let iid = nextName
    nextName += 1
    names[Int(key & 0xff)][UInt32(truncatingIfNeeded: key >> 8)] = iid
    intern(Field.Interned.name, iid, words.trackName(event))
    return iid
  }

  private mutating func send(_ ring: UInt32) -> UInt64 {
    let iid = UInt64(threadNames.count) + 1
    threadNames[ring] = iid
    intern(Field.Interned.text, iid, words.thread(ring))
    return iid
  }

  /// Begins a packet with a track event.
  @inline(__always)
  private mutating func begin(
    _ type: EventType, _ track: UInt64, _ time: UInt64, room: Int = 0
  ) -> PacketPen {
    let step = time > self.time ? time - self.time : 0
    self.time += step
    var packet = PacketPen(output.pen(), room: room)
    packet.pen.put(field: Field.Packet.timestamp, step)
    packet.pen.put(field: Field.Packet.sequence, 1)
    packet.pen.put(field: Field.Packet.flags, Flag.continues)
    packet.beginEvent(Field.Packet.event)
    packet.pen.put(field: Field.Event.type, type.rawValue)
    packet.pen.put(field: Field.Event.track, track)
    return packet
  }

  private func finish(_ packet: inout PacketPen) { output.finish(&packet.pen) }
}
