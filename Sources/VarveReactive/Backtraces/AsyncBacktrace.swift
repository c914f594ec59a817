internal import CVarveSystem
internal import VarveProbe

/// How the calling code came to run: its stack, the stack of the code that scheduled it, the stack
/// of what scheduled that, and so on; and the streams that are delivering on this thread.
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
/// `start(on:)`, `delay`, `debounce`, `throttle`, timers, recursive scheduling), through what its
/// operators give to schedulers of yours, and the tasks that the library makes. In a task the functions
/// that await each other follow one another like those that call each other. Work that a program gives
/// to queues by itself is followed under `varve run --hops`, or with `AsyncBacktrace.carrying`.
///
/// Stacks are kept as addresses, and get their names when somebody looks at them.
///
/// A chain has at most 32 segments; older ones are cut, and it says so. A piece of work that schedules
/// itself again and again is one segment with a count.
public struct AsyncBacktrace: Sendable {
  /// The segments, newest first: the first is the calling code's own stack.
  let stretches: [Stretch]

  /// Whether there were older segments, which were let go.
  public let isCut: Bool

  /// The names of the streams that are delivering on this thread, outermost first.
  public let streams: [String]

  /// A segment before its addresses have names.
  struct Stretch: Sendable, Hashable {
    var frames: [StackFrame]
    var scheduler: String?
    var repeats: UInt32
  }

  /// Whether stacks are kept at scheduler hops from now on, for `AsyncBacktrace.current`.
  ///
  /// It takes some 30 ns a hop. A recording with stacks (`Recorder.Options.recordsStacks`) captures them
  /// in any case.
  public static var isCapturing: Bool {
    get { vv_capture_load() }
    set { vv_capture_store(newValue) }
  }

  /// The calling code's.
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
  /// A stack, and how the code above it came from there.
  public struct Segment: Sendable, Hashable {
    /// The frames, innermost first; those that were inlined before the frame that they are part of.
    public let frames: [Frame]
    /// What the work was given to that the newer segment shows: a scheduler, a queue, a task. Nil for
    /// the first segment, the calling code's own stack.
    public let scheduler: String?
    /// How often the same code had scheduled itself before, which is not shown.
    public let repeats: Int
  }

  /// A function on a stack, and where in it the stack goes on.
  public struct Frame: Sendable, Hashable {
    /// The return address; in a function that awaits the others, where it goes on.
    public let address: UInt
    /// The function's name; nil when it has none.
    public let function: String?
    /// The source file; nil without debug information.
    public let file: String?
    /// The line; 0 when it is not known.
    public let line: Int
    /// Whether the compiler put the function's code into the next frame's.
    public let isInlined: Bool
    /// Whether the function called the one before by `await`: it is not on the thread's stack.
    public let isAwaiting: Bool
    /// Whether it belongs to this library or to what runs work for it: queues, tasks, threads.
    public let isMachinery: Bool
  }

  /// The segments, newest first, with names.
  ///
  /// - Complexity: looks up addresses that nobody has looked up before, which takes a millisecond or
  ///   so each in a large program.
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
  /// Wraps an action so that backtraces inside it lead to the calling code: for work that is handed
  /// to something that the library does not know, such as the loop of another library.
  ///
  ///     loop.enqueue(AsyncBacktrace.carrying(action, to: "the loop"))
  ///
  /// What the library's operators give to a scheduler of yours they carry by themselves; this is for
  /// what your own code gives to it. The result is meant to be called once: a second call runs the
  /// action as it is. While nothing is captured it is `action` itself.
  ///
  /// - Parameters:
  ///   - action: what runs later.
  ///   - name: what the work is handed to, as backtraces and traces show it.
  @preconcurrency
  public static func carrying(
    _ action: @escaping @Sendable () -> Void, to name: String = "other code"
  ) -> @Sendable () -> Void {
    guard Hop.areFollowed else { return action }
    let work = FollowedAction(action, by: ForeignSchedulers.identity(named: name))
    return { work.run() }
  }
}
