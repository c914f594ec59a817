import Glibc
import VarveFormat
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
  // path count options: makes so many streams while the disk is full; then there is room again.
  "crammed": { arguments in
    start(arguments)
    _ = Emitter(stream: 1, named: "first")
    Recorder.flush()
    limitFiles(toSizeOf: arguments.path)
    for stream in 2...arguments.count { _ = Emitter(stream: UInt32(stream), named: "crammed") }
    print(Memory.resident >> 20)
    var limit = rlimit(rlim_cur: rlim_t.max, rlim_max: rlim_t.max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    Recorder.flush()
  },
]
