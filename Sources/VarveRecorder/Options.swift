public import VarveProbe

extension Recorder {
  /// What is recorded, and what happens when the file cannot keep up.
  public struct Options: Sendable, Hashable {
    /// What happens to an event for which there is no room.
    public var policy = Policy.drop
    /// Bytes that each thread's ring has: the room for what it says before the drain thread gets to
    /// it. Rounded up to a power of two, from 64 KiB to 64 MiB; 1 MiB holds some 26,000 events.
    public var ringCapacity = 1 << 20
    /// Which streams are recorded.
    public var streams = Streams.all
    /// Which of these streams are recorded, by their names, and how much of each.
    public var selection = StreamSelection()
    /// What is recorded of values.
    public var values = Values.described
    /// Whether it is recorded that a stage swallowed a value, and why. It is, whatever this says, when
    /// absorption is to have a snapshot made.
    public var recordsAbsorption = false
    /// Whether it is recorded from which stacks work was given to schedulers and operators were made,
    /// so that each event has an asynchronous backtrace. It takes some 50 ns a hop. On by itself in
    /// recordings that the environment or `varve run` asked for.
    public var recordsStacks = false
    /// Whether the trace says what the program was started with: its arguments, its name among them.
    public var recordsArguments = true
    /// Whether the trace says on which host the program ran. Traces that do not are merged by the
    /// calendar.
    public var recordsHost = true
    /// Whether a signal handler notes which signal ends the program, in which thread and where. It
    /// gives way to the handler that was there before.
    public var handlesCrashes = false
    /// What tells the time.
    public var clock = Clock.system
    /// When the trace goes on in another file; nil for never. Not together with `.keepLast`, which
    /// keeps one file that stays small: `Recorder.start` refuses both.
    public var rotation: Rotation?
    /// What has a snapshot made.
    public var snapshots: Set<Trigger> = []

    /// The defaults.
    public init() {}

    /// For production, where traces go to people who must not see what users typed: of every value
    /// its type is recorded and nothing else, neither the program's arguments nor the host's name are,
    /// and nobody ever waits for the recorder. Who wants some of that after all says so:
    ///
    ///     var options = Recorder.Options.production
    ///     options.recordsHost = true
    public static var production: Options {
      var options = Options()
      options.values = .typeNames
      options.recordsArguments = false
      options.recordsHost = false
      return options
    }
  }

  /// What happens to an event for which there is no room, because events come faster than they can
  /// be written.
  public struct Policy: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case drop, block
      case keepLast(Window)
    }
    let kind: Kind

    /// It is lost, and counted: the trace tells how many events of which thread are missing, and
    /// when.
    public static let drop = Policy(kind: .drop)
    /// Its thread waits until there is room. When the file cannot be written at all, because the
    /// disk is full, nobody waits: events are lost and counted until it can be written again.
    public static let block = Policy(kind: .block)

    /// A flight recorder: the file keeps the recording's beginning and the last of it, and does not
    /// grow. What is left out is counted: the trace tells how many events of which thread, and when.
    /// `Recorder.snapshot(to:)`, or a trigger, saves what is kept at some moment; after a crash it is
    /// there anyhow. When events come faster than they can be written, the oldest of those that wait
    /// for it are given up, not the new ones: those of the beginning, too. Only a thread that has no
    /// memory for events yet, or cannot have any because the disk is full, loses its newest ones;
    /// they are counted like the others.
    public static func keepLast(_ window: Window) -> Policy { Policy(kind: .keepLast(window)) }
  }

  /// Which streams are recorded.
  public enum Streams: Sendable, Hashable {
    /// Every operator's.
    case all
    /// Those that the program has named.
    case named
  }

  /// What is recorded of values. Numbers, texts and other values with a compact form of their own
  /// are recorded as they are unless this says otherwise; values marked private never.
  public enum Values: Sendable, Hashable {
    /// A value of another type is recorded as a description of at most 256 bytes.
    case described
    /// A value of another type is recorded as its type's name.
    case typesOnly
    /// Of every value its type's name is recorded, and nothing else.
    case typeNames
    /// Nothing is recorded of any value.
    case withheld
  }

  /// What tells the time of events.
  public enum Clock: Sendable, Hashable {
    /// The machine.
    case system
    /// `Recorder.turnClock(to:)`, from this many nanoseconds on. For programs in virtual time: a
    /// test, a demonstration.
    case byHand(from: UInt64)
  }
}

extension Recorder.Options {
  /// The capacity that rings really get.
  var capacity: UInt64 {
    var capacity: UInt64 = 64 << 10
    while capacity < UInt64(max(0, ringCapacity)) && capacity < 64 << 20 { capacity *= 2 }
    return capacity
  }

  /// What emitters are asked to tell. A snapshot that absorption is to have made is asked for in vain
  /// unless absorption is told.
  var wish: Wish {
    var wish: Wish = streams == .all ? .allStreams : []
    if recordsAbsorption || snapshots.contains(where: \.isAbsorption) { wish.insert(.absorption) }
    if recordsStacks { wish.insert(.stacks) }
    return wish.union(values.detail.wish)
  }

  /// Takes over from others what `Recorder.configure` may change.
  mutating func ask(as other: Recorder.Options) {
    streams = other.streams
    selection = other.selection
    values = other.values
    recordsAbsorption = other.recordsAbsorption
    recordsStacks = other.recordsStacks
  }

  var isClockByHand: Bool { clock != .system }

  /// Why these cannot all be meant, and what to do; nil when they can.
  var contradiction: String? {
    guard let rotation else { return nil }
    if window != nil {
      return "a flight recorder ('keep', .keepLast) stays in one small file and does not go on in "
        + "others ('rotate', 'files', rotation): leave out one of the two"
    }
    if rotation.bytes == nil && rotation.age == nil {
      return "'files' says how many finished files are kept: it needs 'rotate', a size or an age "
        + "at which the trace goes on in another file"
    }
    return nil
  }

  /// What a flight recorder keeps; nil when everything is kept.
  var window: Recorder.Window? {
    if case .keepLast(let window) = policy.kind { window } else { nil }
  }
}

extension Recorder.Values {
  fileprivate var detail: ValueDetail {
    switch self {
    case .described: .described
    case .typesOnly: .typesOfOthers
    case .typeNames: .types
    case .withheld: .withheld
    }
  }
}
