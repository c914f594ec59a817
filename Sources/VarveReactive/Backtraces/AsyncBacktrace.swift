internal import CVarveSystem
internal import VarveProbe

/// The way the calling code came to run: its stack, the stack of the code that scheduled it, the
/// stack of the code that scheduled that, and so on; and the streams that are delivering on this
/// thread.
///
///     AsyncBacktrace.isCapturing = true
///     …
///     query.observe(on: background).observeValues { text in
///       print(AsyncBacktrace.current)
///     }
///
/// prints
///
///     closure #1 in Search.start() at /src/Search.swift:41
///     (6 frames of the machinery)
///     scheduled on QueueScheduler(search) by
///       Keyboard.press(_:) at /src/Keyboard.swift:17
///       main at /src/main.swift:9
///     delivering keyboard → keyboard.observe(on: QueueScheduler(search))
///
/// The chain follows everything that goes through the library's schedulers (`observe(on:)`,
/// `start(on:)`, `delay`, `debounce`, `throttle`, timers, recursive scheduling), what the library's
/// operators hand to schedulers of yours, and the tasks that the library makes. In a task,
/// functions that await each other follow one another as functions that call each other do. Work
/// that a program itself hands to queues is followed under `varve run --hops`, or with
/// `AsyncBacktrace.carrying`.
///
/// Stacks are kept as addresses, which get their names when they are read.
///
/// A chain has at most 32 segments; older ones are cut, and `isCut` says so. A piece of work that
/// schedules itself again and again is one segment with a count.
public struct AsyncBacktrace: Sendable {
  /// The segments, newest first, beginning with the calling code's own stack.
  let stretches: [Stretch]

  /// Whether there were older segments, which were cut.
  public let isCut: Bool

  /// The names of the streams that are delivering on this thread, outermost first.
  public let streams: [String]

  /// A segment whose addresses have no names yet.
  struct Stretch: Sendable, Hashable {
    var frames: [StackFrame]
    var scheduler: String?
    var repeats: UInt32
  }

  /// Whether stacks are captured at scheduler hops from now on, for `AsyncBacktrace.current`.
  ///
  /// Capturing takes about 30 ns per hop. A recording with stacks
  /// (`Recorder.Options.recordsStacks`) captures them in any case.
  public static var isCapturing: Bool {
    get { vv_capture_load() }
    set { vv_capture_store(newValue) }
  }

  /// The backtrace of the calling code.
  public static var current: AsyncBacktrace {
    let thread = ThreadSlot.current
    AwaitChain.learn()
    let running = HopNode.around(thread)
    defer { running?.release() }
    let chain = running?.chain
    let hops = (chain?.nodes ?? []).map { node in
      Stretch(
        frames: Stacks.frames(of: node.stack),
        scheduler: SchedulerNames.name(of: node.scheduler), repeats: node.repeats)
    }
    return AsyncBacktrace(
      stretches: [Stretch(frames: Stacks.walk(), scheduler: nil, repeats: 0)] + hops,
      isCut: chain?.isCut ?? false, streams: deliveringStreams())
  }
}

extension AsyncBacktrace {
  /// A stack, and how the newer segment's code came from there.
  public struct Segment: Sendable, Hashable {
    /// The frames, innermost first; an inlined frame precedes the frame that contains it.
    public let frames: [Frame]
    /// The scheduler, queue or task that the newer segment's work was handed to; nil for the first
    /// segment, the calling code's own stack.
    public let scheduler: String?
    /// The number of times the same code had scheduled itself before, which are not shown.
    public let repeats: Int
  }

  /// A function on a stack, and the place in it where execution continues.
  public struct Frame: Sendable, Hashable {
    /// The return address; in a function that awaits the previous ones, the address where it
    /// resumes.
    public let address: UInt
    /// The function's name, if it has one.
    public let function: String?
    /// The source file; nil without debug information.
    public let file: String?
    /// The line; 0 if it is not known.
    public let line: Int
    /// Whether the function was inlined into the next frame's.
    public let isInlined: Bool
    /// Whether the function called the previous one with `await`, and thus is not on the thread's
    /// stack.
    public let isAwaiting: Bool
    /// Whether the function belongs to this library or to what runs work for it: queues, tasks,
    /// threads.
    public let isMachinery: Bool
  }

  /// The segments, newest first, with names.
  ///
  /// - Complexity: looks up addresses that have not been looked up before, which takes about a
  ///   millisecond each in a large program.
  public var segments: [Segment] {
    ProcessSymbols.lookUp(stretches.flatMap(\.frames))
    return stretches.map { stretch in
      Segment(
        frames: stretch.frames.flatMap { ProcessSymbols.frames(of: $0) },
        scheduler: stretch.scheduler, repeats: Int(stretch.repeats))
    }
  }
}

extension AsyncBacktrace {
  /// Wraps an action so that backtraces inside it lead to the calling code, for work that is handed
  /// to something unknown to the library, such as the event loop of another library.
  ///
  ///     loop.enqueue(AsyncBacktrace.carrying(action, to: "the loop"))
  ///
  /// The library's operators carry what they hand to schedulers of yours by themselves; this method
  /// is for what your own code hands to them. The result is meant to be called once: a second call
  /// runs the action as it is. While nothing is captured, the result is `action` itself.
  ///
  /// - Parameters:
  ///   - action: the work to run later.
  ///   - name: the recipient of the work, as backtraces and traces show it.
  @preconcurrency
  public static func carrying(
    _ action: @escaping @Sendable () -> Void, to name: String = "other code"
  ) -> @Sendable () -> Void {
    guard Hop.areFollowed else { return action }
    let work = FollowedAction(action, by: ForeignSchedulers.identity(named: name))
    return { work.run() }
  }
}
