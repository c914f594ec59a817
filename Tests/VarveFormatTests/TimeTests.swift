import Testing
import VarveFormat

@Suite("Ticks and time")
struct TimeTests {
  private func time(_ clock: TraceClock, _ anchors: (UInt64, UInt64)...) -> TraceTime {
    let all = anchors.map { ClockAnchor(ticks: $0.0, monotonic: $0.1) }
    return TraceTime(header: .sample(clock: clock, anchor: all[0]), anchors: Array(all.dropFirst()))
  }

  @Test("ticks of a clock of nanoseconds are times")
  func nanoseconds() {
    for clock in [TraceClock.monotonic, .byHand] {
      let time = time(clock, (1_000, 77), (2_000, 99_999))
      #expect(time.nanoseconds(sinceStart: 1_000) == 0)
      #expect(time.nanoseconds(sinceStart: 5_000_000_000) == 4_999_999_000)
      #expect(time.nanoseconds(sinceStart: 400) == -600)
      #expect(time.ticks(sinceStart: -600) == 400)
      #expect(time.ticks(sinceStart: 3) == 1_003)
      #expect(time.ticks(sinceStart: -5_000) == 0)
    }
  }

  @Test("a counter's ticks are interpolated between anchors, and rounded down")
  func interpolation() {
    let time = time(.counter(perSecond: 0), (1_000, 50), (4_000, 1_050), (5_000, 3_050))
    #expect(!time.isGuessed)
    let table: [(UInt64, Int64)] = [
      (1_000, 0), (1_001, 0), (1_003, 1), (2_500, 500), (3_999, 999), (4_000, 1_000),
      (4_001, 1_002),
      (5_000, 3_000), (5_004, 3_003), (9_000, 6_000), (999, -1), (996, -3), (0, -750),
    ]
    for (ticks, expected) in table {
      #expect(time.nanoseconds(sinceStart: ticks) == expected, "\(ticks)")
    }
  }

  @Test("ticks within reach of each other have times that are closer than was asked for")
  func reach() {
    let clocks = [
      time(.monotonic, (1_000, 77)), time(.counter(perSecond: 2_600_000_000), (1_000, 50)),
      time(.counter(perSecond: 0), (1_000, 50), (4_000, 1_050), (90_000, 300_050)),
    ]
    for clock in clocks {
      for within: UInt64 in [3, 100, 1_000, 64_000] {
        for tick: UInt64 in [1_000, 1_001, 4_100, 100_000] {
          var converter = TickConverter(clock)
          let reach = converter.reach(from: tick, within: within)
          #expect(within < 1_000 || reach.ticks > 0)
          for start in tick..<tick + 500
          where start <= reach.end && reach.end - start >= reach.ticks {
            let end = clock.nanoseconds(sinceStart: start + reach.ticks)
            #expect(end - clock.nanoseconds(sinceStart: start) < Int64(within))
          }
        }
      }
    }
  }

  @Test("F2: the distance of any two times fits, whatever ticks and anchors a file claims")
  func extremes() {
    let edges: [UInt64] = [0, 1, 1 << 62, 1 << 63 - 1, 1 << 63, .max - 1, .max]
    for clock in [TraceClock.byHand, .counter(perSecond: 0), .counter(perSecond: .max)] {
      for anchors in edges.flatMap({ ticks in edges.map { [(ticks, $0), (UInt64.max, .max)] } }) {
        let time = time(clock, anchors[0], anchors[1])
        let times = edges.map { time.nanoseconds(sinceStart: $0) }
        for one in times {
          #expect(times.allSatisfy { !$0.subtractingReportingOverflow(one).overflow })
          for started in edges {
            // Neither of them traps.
            let wall = TraceTime.sinceEpoch(one, started: started)
            _ = TraceTime.sinceStart(wall, started: started)
          }
        }
      }
    }
    #expect(TraceTime.sinceEpoch(5, started: 1_000) == 1_005)
    #expect(TraceTime.sinceStart(1_005, started: 1_000) == 5)
  }

  @Test("one anchor and the recorder's estimate give times too")
  func estimate() {
    let time = time(.counter(perSecond: 2_600_000_000), (1 << 50, 9))
    #expect(time.nanoseconds(sinceStart: 1 << 50 + 2_600_000_000 * 3_600) == 3_600_000_000_000)
    #expect(!time.isGuessed)
    #expect(self.time(.counter(perSecond: 0), (5, 5)).isGuessed)
  }

  @Test("the tick that is asked for a time is the first that is not before it")
  func inverse() {
    let time = time(
      .counter(perSecond: 0), (1_000, 50), (4_000, 1_050), (5_000, 3_050), (9_000, 3_100))
    for nanoseconds in [-300, -1, 0, 1, 2, 999, 1_000, 1_001, 2_999, 3_000, 3_001, 3_049, 5_000]
      as [Int64]
    {
      let tick = time.ticks(sinceStart: nanoseconds)
      #expect(time.nanoseconds(sinceStart: tick) >= nanoseconds)
      #expect(time.nanoseconds(sinceStart: tick - 1) < nanoseconds)
    }
  }

  @Test("time never runs backwards, and a converter that remembers says the same")
  func monotone() {
    var random = Seeded(3)
    for _ in 0..<200 {
      var anchors: [ClockAnchor] = []
      for _ in 0..<Int(random.next() % 6) {
        anchors.append(
          ClockAnchor(ticks: random.next() >> (random.next() % 64), monotonic: random.next() >> 9))
      }
      let time = TraceTime(
        header: .sample(
          clock: .counter(perSecond: random.next() >> 30),
          anchor: ClockAnchor(ticks: random.next() >> 20, monotonic: random.next() >> 9)),
        anchors: anchors)
      var converter = TickConverter(time)
      var last = Int64.min
      for tick in (0..<100).map({ _ in random.next() >> (random.next() % 64) }).sorted() {
        let now = time.nanoseconds(sinceStart: tick)
        #expect(now >= last)
        #expect(converter.nanoseconds(sinceStart: tick) == now)
        last = now
      }
    }
  }
}
