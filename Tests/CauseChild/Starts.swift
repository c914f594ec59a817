import Varve

/// Pages that are opened start a producer each, through stages, and never stop it.
@Sendable func starts() {
  let clock = SignalProducer<Int, Never> { input, lifetime in
    lifetime.observeEnded { withExtendedLifetime(input) {} }
  }.named("clock")
  let (opened, open) = Signal<Int, Never>.pipe(named: "opened")
  opened.observeValues { page in
    clock.map { $0 + page }.filter { $0 > 0 }.named("page.time").start()  // starts
  }
  for page in 1...24 { open.send(value: page) }
}
