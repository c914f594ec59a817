import VarvePlatform
import VarveRecorder

/// What the program can do with children of its own.
let forkPlays: [String: @Sendable (Arguments) -> Void] = [
  // path count options: parent and child of a fork send, the child numbers from 1001.
  "fork": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(value) }
    let child = forked()
    if child == 0 {
      let mine = Emitter(stream: 2, named: "of the child")
      for value in 1001...1000 + UInt64(arguments.count) { mine.send(value) }
      exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    for value in UInt64(arguments.count) + 1...2 * UInt64(arguments.count) { emitter.send(value) }
    exit(status == 0 ? 0 : 1)
  },
  // path count options: so many children of forks which run another program.
  "spawn": { arguments in
    start(arguments)
    for _ in 0..<arguments.count {
      let child = forked()
      if child == 0 {
        var nothing: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        execv("/bin/true", &nothing)
        _exit(127)
      }
      waitpid(child, nil, 0)
    }
    sendAll(arguments)
  },
  // path count options: forks so many times while two threads send at full rate.
  "forks": { arguments in
    start(arguments)
    let progress = Progress()
    let senders = (0..<2).map { index in
      Thread {
        let emitter = Emitter(stream: UInt32(index + 1), named: "thread \(index)")
        var value: UInt64 = 0
        while !progress.isOver {
          value += 1
          emitter.send(value)
          if value == 10_000 { progress.begin() }
        }
      }
    }
    // The runtime's own locks know of no fork: by now all types that the threads use are there.
    while progress.begun < senders.count { usleep(1_000) }
    var failures = 0
    for _ in 0..<arguments.count {
      let child = forked()
      if child == 0 {
        let mine = Emitter(stream: 9, named: "of the child")
        for value in 1...100 as ClosedRange<UInt64> { mine.send(value) }
        exit(0)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      failures += status == 0 ? 0 : 1
    }
    progress.isOver = true
    for sender in senders { sender.join() }
    exit(failures == 0 ? 0 : 1)
  },
  // path count options: forks so many times, and each child makes types for the first time while its
  // drain thread does.
  "firstUses": { arguments in
    start(arguments)
    for turn in 1...arguments.count {
      let child = forked()
      if child == 0 {
        let mine = Emitter(stream: 9, named: "of the child")
        for value in 1...1_600 as ClosedRange<UInt64> { mine.send(value) }
        useTypes(after: .random(in: 0...200))
        exit(0)
      }
      expectEnd(of: child, turn)
    }
  },
]
