import CVarveSystem
import VarvePlatform
import VarveRecorder

/// What the program can do where there is no room, and where most threads get no ring.
let lossPlays: [String: @Sendable (Arguments) -> Void] = [
  // path threads options limit end: threads that live at once under a limit on the size of files. Each
  // has a number for its name and sends as many events as that; all are there when the program ends, or
  // is killed.
  "ringless": { arguments in
    limitFiles(to: arguments[3])
    start(arguments)
    let meeting = Meeting(of: arguments.count)
    onThreads(arguments.count) { thread in
      vv_thread_set_name("\(thread + 1)")
      let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
      for value in 0...UInt64(thread) { emitter.send(value) }
      meeting.attend()
      if arguments[4] == "kill" { kill(getpid(), SIGKILL) }
    }
  },
  // path threads options limit: threads one after the other under a limit on the size of files, each
  // with three events. The drain thread has time to tell of a thousand before the next.
  "ringless generations": { arguments in
    limitFiles(to: arguments[3])
    start(arguments)
    // They take the rings that there are.
    let progress = Progress()
    let meeting = Meeting(of: 31)
    let owners = (0..<30).map { thread in
      Thread {
        Emitter(stream: UInt32(thread + 1), named: "owner \(thread)").send(1)
        meeting.attend()
        while !progress.isOver { usleep(1_000) }
      }
    }
    meeting.attend()
    for thread in 1...arguments.count {
      sendThree(as: thread)
      if thread % 1_000 == 0 { Recorder.flush() }
    }
    progress.isOver = true
    for owner in owners { owner.join() }
  },
  // path threads options: the same while the disk is full, so that nobody is told of; then there is
  // room again. Ends with 3 when the file is not written any more.
  "untold generations": { arguments in
    start(arguments)
    Emitter(stream: 1, named: "first").send(1)
    Recorder.flush()
    limitFiles(toSizeOf: arguments.path)
    for thread in 1...arguments.count { sendThree(as: thread) }
    guard waits(until: { Recorder.failure != nil }) else { _exit(2) }
    limitFiles(to: "\(rlim_t.max)")
    guard waits(until: { Recorder.failure == nil }) else { _exit(3) }
  },
  // path threads options left: threads one after the other, each with ten events, when so many numbers
  // are left for their rings.
  "numberless": { arguments in
    start(arguments)
    vv_pool_pass_ring_ids(VV_RING_IDS - UInt32(arguments[3])!)
    for thread in 1...arguments.count {
      onThreads(1) { _ in
        let emitter = Emitter(stream: UInt32(thread), named: "thread \(thread)")
        for value in 1...10 as ClosedRange<UInt64> { emitter.send(value) }
      }
    }
  },
  // path threads options events limit second: threads that live at once under a limit on the size of
  // files, each with so many events; then a snapshot, while they go on to live.
  "losing snapshot": { arguments in
    limitFiles(to: arguments[4])
    start(arguments)
    let begin = Meeting(of: arguments.count + 1)
    let end = Meeting(of: arguments.count + 1)
    let events = UInt64(arguments[3])!
    let senders = (0..<arguments.count).map { thread in
      Thread {
        let emitter = Emitter(stream: UInt32(thread + 1), named: "thread \(thread)")
        for value in 1...events { emitter.send(value) }
        begin.attend()
        end.attend()
      }
    }
    begin.attend()
    snapshot(to: arguments[5])
    end.attend()
    for sender in senders { sender.join() }
  },
]

/// A thread that comes, sends three events and goes.
private func sendThree(as thread: Int) {
  onThreads(1) { _ in
    let emitter = Emitter(stream: UInt32(thread + 100), named: "thread \(thread)")
    for value in 1...3 as ClosedRange<UInt64> { emitter.send(value) }
  }
}
