public import VarveProbe

extension Recorder {
  /// The options of a recording: what is recorded, and what happens when the file cannot keep up.
  ///
  /// There are three sets of defaults, with the same names here and in `VARVE_OPTIONS`
  /// (`preset=light`):
  ///
  /// - `Options()`, or `light`: events with their values and causes, for programs that record
  ///   themselves. The program decides about all that costs more.
  /// - `debugging`: everything that a diagnosis needs. It is the default of recordings that are
  ///   requested from outside, by `VARVE_TRACE` or `varve run`.
  /// - `production`: as little as `light`, and no values of users.
  ///
  /// Crashes are marked in all of them. `Docs/Recording.md` says what each option costs.
  public struct Options: Sendable, Hashable {
    /// The treatment of events for which there is no room.
    public var policy = Policy.drop
    /// The size of each thread's ring in bytes: the room for its events until the drain thread
    /// takes them. Rounded up to a power of two, from 64 KiB to 64 MiB; 1 MiB holds some 26,000
    /// events.
    public var ringCapacity = 1 << 20
    /// The streams to record.
    public var streams = Streams.all
    /// A selection of these streams by name, and how much of each to record.
    public var selection = StreamSelection()
    /// The detail in which values are recorded.
    public var values = Values.described
    /// Whether absorption is recorded: that a stage absorbed a value, and why. A trigger for
    /// absorption has it recorded in any case. It takes about as long as to record a value, for each
    /// one that is absorbed.
    public var recordsAbsorption = false
    /// Whether stacks are recorded, of the code that schedules work, makes operators, attaches and
    /// ends subscriptions, and waits, so that each event has an asynchronous backtrace. It takes
    /// some 50 ns per hop.
    public var recordsStacks = false
    /// Whether the stack of the code that sends each event from outside the library is recorded:
    /// into a pipe, a subject, a property, or the input of a start handler. Only together with
    /// `recordsStacks`.
    public var recordsSenders = false
    /// Whether reads of properties by the program's own code are recorded: of each property, at most
    /// 64 between two changes.
    public var recordsReads = false
    /// Whether the program's tasks are recorded, from inside: created, each run, what they await, who
    /// resumed and cancelled them, ended, as `varve run` does from outside. It takes the product
    /// `VarveTasks` among the program's dependencies, which needs no import; without it, and where
    /// tasks cannot be recorded, the trace says why.
    ///
    /// What is missing, compared with `varve run`: of tasks that were made before the recording starts,
    /// who made them, what they did, and what those that run on other threads still do before they are
    /// suspended; and what queues do in between (`--hops`). Later recordings of the process have its
    /// tasks, too, whatever they ask for. In no preset, as it takes a product of its own. Linux only.
    public var recordsTasks = false
    /// Whether the trace contains the program's command-line arguments.
    public var recordsArguments = true
    /// Whether the trace contains the host's name. Traces without it are merged by the calendar.
    public var recordsHost = true
    /// Whether a signal handler records the signal that ends the program, with thread and location.
    /// It then passes the signal on to the handler that was installed before.
    public var handlesCrashes = true
    /// The source of time.
    public var clock = Clock.system
    /// The rule for continuing the trace in another file; nil for never. It cannot be combined with
    /// `.keepLast`, which keeps one small file: `Recorder.start` refuses both.
    public var rotation: Rotation?
    /// The causes for snapshots.
    public var snapshots: Set<Trigger> = []

    /// Creates the default options of a program that records itself, which are those of `light`.
    public init() {}

    /// The options for finding a mistake: also absorption, stacks, senders and reads are recorded.
    public static var debugging: Options {
      var options = Options()
      options.recordsAbsorption = true
      options.recordsStacks = true
      options.recordsSenders = true
      options.recordsReads = true
      return options
    }

    /// The options for production, where traces go to people who must not see user input: only the
    /// type of each value is recorded, neither the program's arguments nor the host's name are, and
    /// no thread ever waits for the recorder. Neither absorption, stacks, senders nor reads are
    /// recorded. Exceptions can be made explicitly:
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

  /// The treatment of events for which there is no room, because they come faster than they can be
  /// written.
  public struct Policy: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case drop, block
      case keepLast(Window)
    }
    let kind: Kind

    /// The event is lost, and counted: the trace says how many events of which thread are missing,
    /// and when.
    public static let drop = Policy(kind: .drop)
    /// The thread waits until there is room. If the file cannot be written at all because the disk
    /// is full, threads do not wait: events are lost and counted until it can be written again.
    public static let block = Policy(kind: .block)

    /// Returns the policy of a flight recorder: the file keeps the beginning and the end of the
    /// recording, and does not grow. Events left out are counted: the trace says how many of which
    /// thread, and when. `Recorder.snapshot(to:)`, or a trigger, saves what is kept at some moment;
    /// after a crash it is there in any case.
    ///
    /// When events come faster than they can be written, the oldest waiting ones are given up
    /// rather than the new ones, even at the beginning. Only a thread that has no memory for events
    /// yet, or cannot get any because the disk is full, loses its newest ones; they are counted
    /// like the others.
    public static func keepLast(_ window: Window) -> Policy { Policy(kind: .keepLast(window)) }
  }

  /// The streams to record.
  public enum Streams: Sendable, Hashable {
    /// The streams of all operators.
    case all
    /// The streams that the program has named.
    case named
  }

  /// The detail in which values are recorded. Numbers, text, and other values with a compact form
  /// are recorded as they are unless an option says otherwise; values marked private never are.
  public enum Values: Sendable, Hashable {
    /// Other values are recorded as a description of at most 256 bytes.
    case described
    /// Other values are recorded as the name of their type.
    case typesOnly
    /// Every value is recorded as the name of its type only.
    case typeNames
    /// Nothing is recorded of any value.
    case withheld
  }

  /// The source of the times of events.
  public enum Clock: Sendable, Hashable {
    /// The system's clock.
    case system
    /// Virtual time, set by `Recorder.turnClock(to:)`, from this many nanoseconds on. For tests and
    /// demonstrations.
    case byHand(from: UInt64)
  }
}

extension Recorder.Options {
  /// The capacity that rings actually have.
  var capacity: UInt64 {
    var capacity: UInt64 = 64 << 10
    while capacity < UInt64(max(0, ringCapacity)) && capacity < 64 << 20 { capacity *= 2 }
    return capacity
  }

  /// The wish passed to emitters. It includes absorption if a trigger depends on it.
  var wish: Wish {
    var wish: Wish = streams == .all ? .allStreams : []
    if recordsAbsorption || snapshots.contains(where: \.isAbsorption) { wish.insert(.absorption) }
    if recordsStacks { wish.insert(recordsSenders ? [.stacks, .senders] : .stacks) }
    return wish.union(values.detail.wish)
  }

  /// Takes over the options that `Recorder.configure` may change.
  mutating func ask(as other: Recorder.Options) {
    streams = other.streams
    selection = other.selection
    values = other.values
    recordsAbsorption = other.recordsAbsorption
    recordsStacks = other.recordsStacks
    recordsSenders = other.recordsSenders
    recordsReads = other.recordsReads
  }

  var isClockByHand: Bool { clock != .system }

  /// Explains why the options contradict each other, and what to do; nil if they do not.
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

  /// The part that a flight recorder keeps; nil if everything is kept.
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
