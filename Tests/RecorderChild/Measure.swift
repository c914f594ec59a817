import CVarveSystem
import VarvePlatform
import VarveRecorder

/// Records workload W, twenty streams in turn with a counter, and prints what it cost: the emitting
/// thread's CPU time an event beside that of reading the clock alone, the drain thread's, and what
/// was lost.
func measure(events: UInt64, rounds: Int) {
  let emitters = (1...20).map { Emitter(stream: $0, named: "stream\($0)") }
  var recorded: [Double] = []
  var clock: [Double] = []
  var lost: UInt64 = 0
  let drainBegan = processTime() - Double(vv_thread_cpu_time())
  for _ in 0..<rounds {
    usleep(150_000)
    recorded.append(cost(events) { lost += emitters[Int($0 % 20)].send($0) ? 0 : 1 })
    var sum: UInt64 = 0
    clock.append(cost(events) { _ in sum &+= vv_clock_ticks() })
    if sum == 0 { print("the clock stands") }
  }
  Recorder.stop()
  let drain = processTime() - Double(vv_thread_cpu_time()) - drainBegan
  let kept = Double(events) * Double(rounds) - Double(lost)
  print(
    "record \(round(median(recorded))) ns, clock alone \(round(median(clock))) ns, drain",
    "\(round(drain / kept)) ns an event; lost \(lost)")
}

/// CPU time of the calling thread for each event, in nanoseconds.
@inline(__always)
private func cost(_ events: UInt64, _ body: (UInt64) -> Void) -> Double {
  let began = vv_thread_cpu_time()
  for event in 1...events { body(event) }
  return Double(vv_thread_cpu_time() - began) / Double(events)
}

private func processTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

private func round(_ value: Double) -> Double { (value * 100).rounded() / 100 }
