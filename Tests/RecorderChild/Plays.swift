import CVarveSystem
import VarveFormat
import VarvePlatform
import VarveRecorder

/// What the program can do, by name. Every play gets its arguments in the order that its comment
/// gives them in.
let plays: [String: @Sendable (Arguments) -> Void] = [
  // path count options: records so many events of stream 1 and returns from `main`.
  "exit": { arguments in
    start(arguments)
    sendAll(arguments)
  },
  // path count options: the same, and leaves without the handlers that `exit` runs.
  "leave": { arguments in
    start(arguments)
    sendAll(arguments)
    _exit(0)
  },
  // path count options: the same, but nothing in the program asks for a recording.
  "plain": { arguments in sendAll(arguments) },
  // path count options: the same, and dies of SIGKILL.
  "die": { arguments in
    sendAll(arguments)
    kill(getpid(), SIGKILL)
  },
  // path count options how: the same, and dies of a fault of its own.
  "crash": { arguments in
    if arguments[3] == "handled" { installHandler() }
    if arguments[3] == "informed" { askForSystemsAction(SIGABRT) }
    if arguments[3] == "heard" { handleBelow(SIGABRT) }
    start(arguments)
    sendAll(arguments)
    crash(arguments[3])
  },
  // path count options: dies of SIGKILL right after a flush.
  "flush": { arguments in
    start(arguments)
    sendAll(arguments)
    Recorder.flush()
    kill(getpid(), SIGKILL)
  },
  // path threads options shared manner milestone: every thread sends 1, 2, 3, … until somebody kills
  // the program or recording stops, and tells in shared memory which was the last that `send`
  // returned from.
  "send": { arguments in
    dieAt(arguments[5])
    let manner = Manner(Substring(arguments[4]))
    let board = Board(path: arguments[3])
    let progress = Progress()
    start(arguments)
    let stopper = manner.stopsAfter.map { last in
      Thread {
        while progress.value < last { usleep(100) }
        Recorder.stop()
      }
    }
    onThreads(arguments.count) { thread in
      Sender(thread: thread, manner: manner, board: board, progress: progress).run()
    }
    stopper?.join()
  },
  // path threads options shared: the same, at a human pace, so that somebody may look on.
  "paced": { arguments in
    start(arguments)
    let board = Board(path: arguments[3])
    onThreads(arguments.count) { thread in
      let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
      var value: UInt64 = 0
      while true {
        value += 1
        emitter.send(value)
        board.acknowledge(value, thread: thread)
        if value % 10 == 0 { usleep(1_000) }
      }
    }
  },
  // path threads options events: every thread sends so many events on a stream of its own.
  "threads": { arguments in
    start(arguments)
    let events = UInt64(arguments[3])!
    onThreads(arguments.count) { thread in
      let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
      for value in 1...events { emitter.send(value) }
    }
  },
  // path threads options events: the same, and on until each has lost one; prints how many each sent.
  "overrun": { arguments in
    start(arguments)
    let events = UInt64(arguments[3])!
    onThreads(arguments.count) { thread in
      let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
      var value: UInt64 = 0
      var hasLost = false
      while value < events || !hasLost {
        value += 1
        if !emitter.send(value) { hasLost = true }
      }
      print("sent \(thread + 1) \(value)")
    }
  },
  // path threads options events limit: the same under a limit on the size of files, with payloads
  // that no deflate makes smaller.
  "limited": { arguments in
    var limit = rlimit(rlim_cur: rlim_t(arguments[4])!, rlim_max: rlim_t.max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    start(arguments)
    let events = UInt64(arguments[3])!
    onThreads(arguments.count) { thread in
      let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
      for value in 1...events { emitter.send(scatter(value)) }
    }
  },
  // path threads options: new threads send without a pause, most of them without a ring, while the
  // disk is full; then there is room again. Ends with 3 when the file is not written any more.
  "calling": { arguments in
    start(arguments)
    Emitter(stream: 1_000, named: "first").send(1)
    Recorder.flush()
    limitFiles(toSizeOf: arguments.path)
    let progress = Progress()
    let senders = (0..<arguments.count).map { thread in
      Thread {
        let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
        while !progress.isOver {
          emitter.send(1)
          usleep(1_000)
        }
      }
    }
    guard waits(until: { Recorder.failure != nil }) else { _exit(2) }
    var limit = rlimit(rlim_cur: rlim_t.max, rlim_max: rlim_t.max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    guard waits(until: { Recorder.failure == nil }) else { _exit(3) }
    progress.isOver = true
    for sender in senders { sender.join() }
  },
  // path threads options: so many threads one after the other, each with three events.
  "generations": { arguments in
    start(arguments)
    for thread in 0..<arguments.count {
      onThreads(1) { _ in
        let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
        for value in 1...3 as ClosedRange<UInt64> { emitter.send(value) }
      }
    }
  },
  // path threads options: so many threads that live at once, each with three events.
  "crowd": { arguments in
    start(arguments)
    let meeting = Meeting(of: arguments.count)
    onThreads(arguments.count) { thread in
      let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
      for value in 1...3 as ClosedRange<UInt64> { emitter.send(value) }
      meeting.attend()
    }
  },
  // path count options second: records, pauses, and records into a second file.
  "again": { arguments in
    let emitter = Emitter(stream: 1, named: "numbers")
    start(arguments)
    sendAll(arguments)
    Recorder.stop()
    emitter.send(1_000_000)
    start(arguments, at: arguments[3])
    sendAll(arguments)
    Recorder.stop()
    emitter.send(1_000_000)
  },
  // path count options: turns the clock by hand, a microsecond an event.
  "by-hand": { arguments in
    var options = arguments.options
    options.clock = .byHand(from: 1_000)
    start(options, at: arguments.path)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) {
      Recorder.turnClock(to: value * 1_000)
      emitter.send(value)
    }
  },
  // path count options: marks moments.
  "marks": { arguments in
    start(arguments)
    for index in 1...arguments.count { Recorder.mark("moment \(index)") }
    Recorder.mark(String(repeating: "é", count: 2_000))
  },
  // path count options: records while no more than so many files may be opened.
  "few files": { arguments in
    let lowest = open("/dev/null", O_RDONLY)
    close(lowest)
    let most = rlim_t(lowest) + rlim_t(arguments.count)
    var limit = rlimit(rlim_cur: most, rlim_max: most)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    start(arguments)
  },
  // path count options second: so many events, a snapshot, and as many again.
  "snapshot": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(value) }
    snapshot(to: arguments[3])
    for value in 1...UInt64(arguments.count) { emitter.send(value + UInt64(arguments.count)) }
  },
  // path count options file: so many events, a failure of the stream `login`, a moment's rest, more.
  "fail": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "login")
    let other = Emitter(stream: 2, named: "search")
    for value in 1...UInt64(arguments.count) { emitter.send(value) }
    other.fail()
    usleep(300_000)
    if arguments[3] == "absorbed" { emitter.absorb(reason: 2) } else { emitter.fail() }
    waitForFile(containing: "snapshot", besides: arguments.path)
    for value in 1...UInt64(arguments.count) { emitter.send(value + UInt64(arguments.count)) }
  },
  // path count options pause: so many events, so many seconds' rest, more events and a failure that
  // has a snapshot made, and more.
  "windowed": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "login")
    let count = UInt64(arguments.count)
    for value in 1...count { emitter.send(value) }
    Recorder.flush()
    sleep(UInt32(arguments[3])!)
    for value in count + 1...2 * count { emitter.send(value) }
    emitter.fail()
    waitForFile(containing: "snapshot", besides: arguments.path)
    for value in 2 * count + 1...3 * count { emitter.send(value) }
  },
  // path count options: so many events, USR2 to itself, more.
  "signalled": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(value) }
    kill(getpid(), SIGUSR2)
    waitForFile(containing: "snapshot", besides: arguments.path)
    for value in 1...UInt64(arguments.count) { emitter.send(value + UInt64(arguments.count)) }
  },
  // path count options: so many events, and USR1 and USR2 to itself, each time until a snapshot is
  // there.
  "signals": { arguments in
    start(arguments)
    sendAll(arguments)
    for (index, signal) in [SIGUSR1, SIGUSR2].enumerated() {
      kill(getpid(), signal)
      waitForFile(containing: "snapshot-\(index + 1)", besides: arguments.path)
    }
  },
  // path count options: says `below` on three signals and has a recording watch two of them; so many
  // events, each of the two to itself, each time until a snapshot is there; then all three once more
  // without a recording.
  "two-signals": { arguments in
    let signals = [SIGUSR1, SIGUSR2, SIGHUP]
    for signal in signals { handleBelow(signal) }
    var options = arguments.options
    options.snapshots = [.signal(SIGUSR1), .signal(SIGUSR2)]
    start(options, at: arguments.path)
    sendAll(arguments)
    for (index, signal) in signals.prefix(2).enumerated() {
      raise(signal)
      waitForFile(containing: "snapshot-\(index + 1)", besides: arguments.path)
    }
    Recorder.stop()
    for signal in signals { raise(signal) }
  },
  // path count options how: sends, and meanwhile something happens to the trace's file.
  "meddle": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(value) }
    Recorder.flush()
    switch arguments[3] {
    case "remove": unlink(arguments.path)
    case "move": rename(arguments.path, arguments.path + ".moved")
    default: exit(2)
    }
    waitForFile(containing: "run.varve", besides: arguments.path, exactly: true)
    for value in 1...UInt64(arguments.count) { emitter.send(value + UInt64(arguments.count)) }
  },
  // path count options: so many events, and somebody removes the sidecar; more, each time after a
  // moment's rest.
  "bereft": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(value) }
    unlink(arguments.path + "-live")
    for turn in 1...3 as ClosedRange<UInt64> {
      usleep(1_100_000)
      Recorder.flush()
      let sent = turn * UInt64(arguments.count)
      for value in 1...UInt64(arguments.count) { emitter.send(sent + value) }
    }
  },
  // path count options: so many events, and as many when the trace has gone on in another file.
  "aged": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(value) }
    Recorder.flush()
    waitForFile(containing: "run-1.varve", besides: arguments.path)
    for value in 1...UInt64(arguments.count) { emitter.send(value + UInt64(arguments.count)) }
  },
  // path count options: so many events, and then files may not grow beyond what the trace has when it
  // is to go on in another file; prints whether it is told that the first one cannot be completed.
  "filled": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(scatter(value)) }
    Recorder.flush()
    limitFiles(toSizeOf: arguments.path)
    for _ in 0..<3_000 where Recorder.failure == nil { usleep(5_000) }
    print(Recorder.failure?.systemError == EFBIG ? "told" : "silent")
  },
  // path count options: a flight recorder that is to keep as much as can be said.
  "boundless": { arguments in
    var options = arguments.options
    options.policy = .keepLast(.bytes(.max).keepingFirst(.max))
    start(options, at: arguments.path)
    sendAll(arguments)
  },
  // path count options: two threads send so many events each, and one of them writes over one of its
  // own records before anybody could read it; then it sends as many again.
  "stray": { arguments in
    start(arguments)
    let count = UInt64(arguments.count)
    onThreads(2) { thread in
      let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
      let early = thread == 0 ? count / 2 : count
      for value in 1...early { emitter.send(value) }
      guard thread == 0 else { return }
      emitter.send(early + 1...count) { $0[16] ^= 0x40 }
      Recorder.flush()
      for value in count + 1...2 * count { emitter.send(value) }
    }
  },
  // path count options second: the program handles USR1 below the recorder and above it, and then
  // has another recording watch USR2, whose earlier action is the system's.
  "handlers": { arguments in
    handleBelow(SIGUSR1)
    start(arguments)
    handleAbove(SIGUSR1)
    Recorder.stop()
    askForSystemsAction(SIGUSR2)
    var options = arguments.options
    options.snapshots = [.signal(SIGUSR2)]
    start(options, at: arguments[3])
    sendAll(arguments)
    raise(SIGUSR1)
    raise(SIGUSR2)
    waitForFile(containing: "snapshot", besides: arguments[3])
  },
  // path count options folder: gives up its rights to the trace's folder, and sends.
  "forbidden": { arguments in
    guard chown(arguments[3], 65_534, 65_534) == 0, setgid(65_534) == 0,
      setuid(65_534) == 0
    else { exit(77) }
    start(arguments)
    sendAll(arguments)
    Recorder.flush()
    chmod(arguments[3], 0o500)
    let emitter = Emitter(stream: 1, named: "numbers")
    let more = UInt64(arguments.count)
    for value in 1...more { emitter.send(value + more) }
    Recorder.flush()
    print(Recorder.failure.map { "\($0)" } ?? "no failure")
    chmod(arguments[3], 0o700)
  },
  // path threads options: how much memory recording takes while so many threads live.
  "memory": { arguments in
    let before = Memory.resident
    start(arguments)
    let meeting = Meeting(of: arguments.count + 1)
    let parting = Meeting(of: arguments.count + 1)
    let crowd = Thread {
      onThreads(arguments.count) { thread in
        let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
        for value in 1...60_000 as ClosedRange<UInt64> { emitter.send(value) }
        meeting.attend()
        parting.attend()
      }
    }
    meeting.attend()
    usleep(300_000)
    print(Memory.resident - before)
    parting.attend()
    crowd.join()
  },
  // path count options: how often the drain thread wakes in a second of silence, and in one in which
  // so many events come every millisecond.
  "wakes": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    emitter.send(1)
    usleep(200_000)
    let first = Wakes.ofDrainThread()
    usleep(1_000_000)
    let second = Wakes.ofDrainThread()
    var sent = 0
    while sent < 1_000 {
      for value in 1...UInt64(arguments.count) { emitter.send(value) }
      sent += 1
      usleep(800)
    }
    print(second - first, Wakes.ofDrainThread() - second)
  },
  // path count options: runs another program in its own place.
  "exec": { arguments in
    start(arguments)
    sendAll(arguments)
    var nothing: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    execv("/bin/true", &nothing)
    exit(3)
  },
  // path count options: nothing in the program asks for a recording; sends, and runs itself once more
  // in its own place, which sends half as many.
  "reexec": { arguments in
    sendAll(arguments)
    let words = ["RecorderChild", "plain", "", "\(arguments.count / 2)", ""]
    var texts: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &texts)
    exit(3)
  },
  // path count options: in a process with a terminal, where somebody types Ctrl-\\.
  "quit": { arguments in typeQuit(to: ["typed", arguments[0], arguments[1], arguments[2]]) },
  // path count options: what that process does.
  "typed": { arguments in
    start(arguments)
    sendAll(arguments)
    write(terminal, "ready\n", 6)
    while true { pause() }
  },
  // path events options rounds: what recording costs.
  "measure": { arguments in
    start(arguments)
    measure(events: UInt64(arguments.count), rounds: Int(arguments[3])!)
  },
]
