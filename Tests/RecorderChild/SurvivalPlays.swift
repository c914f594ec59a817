import FaultSurvivor
import VarvePlatform
import VarveRecorder

/// What a program can do whose own handler of faults leaves by a jump.
let survivalPlays: [String: @Sendable (Arguments) -> Void] = [
  // path count options how: survives a fault between two halves of what it sends; then it ends in the
  // way that is asked for.
  "survive": { arguments in
    survivor_install()
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    let half = UInt64(arguments.count / 2)
    for value in 1...half { emitter.send(value) }
    survivor_fault()
    if arguments[3] == "at once" { abort() }
    for value in half + 1...2 * half { emitter.send(value) }
    if arguments[3] == "abort" { abort() }
    if arguments[3] == "leave" { _exit(0) }
  },
  // path count options file who: a thread of its own survives a fault, says so by a file beside that
  // one, and then sleeps for good, or ends; one that has recorded before, or one that never records.
  // When the file is there, the program dies of another cause.
  "outlive": { arguments in
    survivor_install()
    start(arguments)
    let thread = Thread {
      let words = arguments[4].split(separator: ",")
      if words.contains("records") { Emitter(stream: 2, named: "survivor").send(1) }
      survivor_fault()
      close(open(arguments[3] + "-survived", O_WRONLY | O_CREAT, 0o600))
      while words.contains("sleeps") { sleep(1) }
    }
    sendAll(arguments)
    while access(arguments[3], F_OK) != 0 { usleep(1_000) }
    if !arguments[4].contains("sleeps") { thread.join() }
    abort()
  },
  // path count options milliseconds: the handler of a thread takes so long until the program dies; the
  // others go on meanwhile.
  "linger": { arguments in
    survivor_install()
    start(arguments)
    let milliseconds = UInt32(arguments[3])!
    let thread = Thread {
      Emitter(stream: 2, named: "victim").send(1)
      survivor_linger(milliseconds)
    }
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64.max {
      emitter.send(value)
      usleep(100)
    }
    thread.join()
  },
]
