import VarveFormat
import VarvePlatform
import VarveProbe
import VarveRecorder

/// What the program can do that makes many streams.
let definitionPlays: [String: @Sendable (Arguments) -> Void] = [
  // path count options: makes so many streams while the drain thread hangs in the midst of writing
  // what was defined first, as on a disk that does not answer.
  "hanging": { arguments in
    #if DEBUG
      Milestone.watcher = { milestone in
        guard milestone == .definitionsWritten else { return }
        while true { pause() }
      }
    #endif
    start(arguments)
    for stream in 1...arguments.count { _ = Emitter(stream: UInt32(stream), named: "hung") }
    write(STDOUT_FILENO, "made them all\n", 14)
    _exit(0)
  },
  // path count options: makes so many streams, and gives each another name, while the drain thread
  // rests whenever it has written definitions.
  "stalling": { arguments in
    #if DEBUG
      Milestone.watcher = { if $0 == .definitionsWritten { usleep(200_000) } }
    #endif
    start(arguments)
    for stream in 1...arguments.count {
      for name in ["first", "last"] { _ = Emitter(stream: UInt32(stream), named: name) }
      if stream % 3_000 == 0 { usleep(50_000) }
    }
  },
  // path count options finished: makes so many streams, of which none lives on; one thread says a last
  // word on the first of them, and another one goes on with the last until the trace goes on in another
  // file and the finished one is there.
  "bygone": { arguments in
    start(arguments)
    let emitters = (1...UInt32(arguments.count)).map { Emitter(stream: $0, named: "bygone") }
    Recorder.flush()
    let progress = Progress()
    let last = Thread {
      emitters[0].send(1)
      progress.begin()
      while !progress.isOver { usleep(1_000) }
    }
    while progress.begun == 0 { usleep(100) }
    var value: UInt64 = 0
    while access(arguments[3], F_OK) != 0 {
      for _ in 0..<100 {
        value += 1
        emitters.last?.send(scatter(value))
      }
    }
    progress.isOver = true
    last.join()
  },
  // path count options: makes so many streams while the disk is full; then there is room again.
  "crammed": { arguments in
    start(arguments)
    _ = Emitter(stream: 1, named: "first")
    Recorder.flush()
    limitFiles(toSizeOf: arguments.path)
    for stream in 2...arguments.count { _ = Emitter(stream: UInt32(stream), named: "crammed") }
    let late = Emitter.definition(stream: UInt32(arguments.count + 1), named: "late")
    Probe.addDescriber { [late] }
    Probe.receiver?.define(late)
    Probe.receiver?.define(SchedulerDefinition(id: 1, name: "late"))
    print(Memory.resident >> 20)
    var limit = rlimit(rlim_cur: rlim_t.max, rlim_max: rlim_t.max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    Recorder.flush()
  },
]
