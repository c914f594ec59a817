import CVarveSystem
import VarveFormat
import VarvePlatform
import VarveRecorder

/// What the program can do where process ids say nothing of who is who.
let namespacePlays: [String: @Sendable (Arguments) -> Void] = [
  // path count options: sends, reads what it has recorded itself, tells how it finds that, and stays
  // until it is killed.
  "reads itself": { arguments in
    start(arguments)
    sendAll(arguments)
    for _ in 0..<3 { look(at: Recorder.path ?? "") }
    fflush(nil)
    while true { pause() }
  },
  // path count options stranger: records twice, and once more when another trace has taken the place of
  // that, if one is named.
  "restarts": { arguments in
    record(arguments)
    let place = record(arguments)
    guard !arguments[3].isEmpty else { return }
    rename(arguments[3], place)
    record(arguments)
  },
  // path: tells how the trace ended, as far as can be seen from here, and tries to repair it.
  "look": { arguments in
    look(at: arguments.path)
    do {
      try TraceRepair.write(
        try TraceReader(path: arguments.path), to: arguments.path, replacing: true)
      print("repaired")
    } catch {
      print("\(error)")
    }
  },
  // path count options over: sends, and dies of SIGKILL; a child of a fork lives on until there is a
  // file.
  "orphan": { arguments in
    start(arguments)
    sendAll(arguments)
    let over = arguments[3]
    if forked() == 0 {
      for descriptor in 0...2 as ClosedRange<Int32> { close(descriptor) }
      _ = waits { access(over, F_OK) == 0 }
      _exit(0)
    }
    kill(getpid(), SIGKILL)
  },
]

/// Records for a while; returns where.
@discardableResult
private func record(_ arguments: Arguments) -> String {
  start(arguments)
  let path = Recorder.path ?? ""
  sendAll(arguments)
  Recorder.stop()
  return path
}

private func look(at path: String) {
  do {
    print("\(try TraceReader(path: path).ending)")
  } catch {
    print("\(error)")
  }
}
