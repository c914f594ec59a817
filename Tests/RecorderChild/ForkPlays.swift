import VarveFormat
import VarvePlatform
import VarveRecorder

/// What the program can do with children of its own.
let forkPlays: [String: @Sendable (Arguments) -> Void] = [
  // path count options: parent and child of a fork send. The child needs types that the drain thread
  // needs, too, and tells whether it records, can, or has kept something open in the trace's folder.
  "fork": { arguments in
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(value) }
    let child = forked()
    if child == 0 {
      let mine = Emitter(stream: 2, named: "of the child")
      for value in 1...UInt64(arguments.count) { mine.send(value) }
      emitter.send(0)
      useTypes()
      Recorder.configure { $0.values = .withheld }
      Recorder.mark("of the child")
      tellWhatIsLeft(of: arguments.path)
      exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    for value in UInt64(arguments.count) + 1...2 * UInt64(arguments.count) { emitter.send(value) }
    exit(status == 0 ? 0 : 1)
  },
  // path count options file: forks while the drain thread waits for a disk that does not answer, as
  // soon as there is a file that says so.
  "fork hung": { arguments in
    alarm(240)
    start(arguments)
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments.count) { emitter.send(scatter(value)) }
    guard waits(until: { access(arguments[3], F_OK) == 0 }) else { _exit(2) }
    let child = forked()
    if child == 0 {
      Emitter(stream: 2, named: "of the child").send(1)
      _exit(0)
    }
    expectEnd(of: child, 1)
    _exit(0)
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
]

/// Prints what the child of a fork has of its parent's recording.
private func tellWhatIsLeft(of path: String) {
  let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/")
  var buffer = [CChar](repeating: 0, count: 4096)
  let open = (0..<256).filter { descriptor in
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
    guard count > 0 else { return false }
    let target = buffer.prefix(count).map { UInt8(bitPattern: $0) }
    return String(decoding: target, as: UTF8.self).hasPrefix(folder + "/")
  }
  print("records \(Recorder.isRecording), open \(open.count)")
  do throws(TraceFileError) {
    try Recorder.start(to: path + "-of-child")
    print("started")
  } catch {
    print(error.code == .wrongUse ? "refused" : "\(error)")
  }
}
