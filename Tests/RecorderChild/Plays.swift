import CVarveSystem
import Glibc
import VarveFormat
import VarveRecorder

/// What the program can do, by name. Arguments are named in the order in which they come.
let plays: [String: @Sendable ([String]) -> Void] = [
  // path count: records so many events and exits.
  "exit": { arguments in
    start(arguments[0])
    let emitter = Emitter(stream: 1, named: "numbers")
    for value in 1...UInt64(arguments[1])! { emitter.send(value) }
  },
  // rounds events: CPU time of the emitting thread for each event.
  "measure": { arguments in
    var options = Recorder.Options()
    options.policy = arguments[1] == "block" ? .block : .drop
    start(arguments[0], options)
    let emitters = (1...20).map { Emitter(stream: $0, named: "stream\($0)") }
    let events = UInt64(arguments[2])!
    for _ in 0..<Int(arguments[3])! {
      usleep(200_000)
      let begun = vv_thread_cpu_time()
      var lost = 0
      var turn = 0
      for value in 1...events {
        if !emitters[turn].send(value) { lost += 1 }
        turn = turn == 19 ? 0 : turn + 1
      }
      let spent = vv_thread_cpu_time() - begun
      print(Double(spent) / Double(events), "ns CPU an event,", lost, "lost")
    }
    Recorder.stop()
  },
]

/// Starts recording, or says why not and exits.
func start(_ path: String, _ options: Recorder.Options = Recorder.Options()) {
  do throws(TraceFileError) {
    try Recorder.start(to: path, options: options)
  } catch {
    print("cannot record: \(error)")
    exit(3)
  }
}
