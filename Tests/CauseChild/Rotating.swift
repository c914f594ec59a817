import Dispatch
import Varve

/// A value waits for its queue while the recording goes on in other files, again and again.
@Sendable func rotating() {
  let queue = QueueScheduler(name: "busy")
  let (first, input) = Signal<String, Never>.pipe(named: "first")
  let (filler, fill) = Signal<String, Never>.pipe(named: "filler")
  let (held, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  filler.observeValues { _ in }
  first.observe(on: queue).named("last").observeValues { _ in done.signal() }
  queue.schedule { held.wait() }
  input.send(value: "waits")
  var noise: UInt64 = 1
  for _ in 0..<60_000 {
    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    fill.send(value: String(noise, radix: 36))
  }
  held.signal()
  done.wait()
}
