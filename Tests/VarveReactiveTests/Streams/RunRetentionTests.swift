import Testing
import VarveReactive
import VarveTestRig

/// What a start keeps alive, and that it keeps nothing once it is over.
@Suite struct RunRetentionTests {
  /// How a start can come to its end.
  enum End: CaseIterable, Sendable {
    case completion, failure, interruption, disposal

    func reach(_ input: Signal<Int, TestFailure>.Observer?, _ run: any Disposable) {
      switch self {
      case .completion: input?.sendCompleted()
      case .failure: input?.send(error: TestFailure())
      case .interruption: input?.sendInterrupted()
      case .disposal: run.dispose()
      }
    }
  }

  @Test(
    "P10: after the end, a kept disposable and a kept input hold nothing of the start handler",
    arguments: End.allCases)
  func handler(_ end: End) {
    let input = Box<Signal<Int, TestFailure>.Observer?>(nil)
    let lifetime = Box<Lifetime?>(nil)
    let (handlerLeash, (cleanUpLeash, run)) = Self.probed { handlerToken in
      Self.probed { cleanUpToken in
        SignalProducer<Int, TestFailure> { observer, ending in
          input.set(observer)
          lifetime.set(ending)
          withExtendedLifetime(handlerToken) {}
          ending.observeEnded { withExtendedLifetime(cleanUpToken) {} }
        }.start()
      }
    }
    #expect(cleanUpLeash.isHeld)
    end.reach(input.value, run)
    #expect(run.isDisposed)
    #expect(!handlerLeash.isHeld)
    #expect(!cleanUpLeash.isHeld)
    withExtendedLifetime((run, lifetime)) {}
  }

  @Test(
    "P10: after the end, they hold nothing of the operators or of the observer either",
    arguments: Chain.all, End.allCases)
  func operators(_ chain: Chain, _ end: End) {
    let input = Box<Signal<Int, TestFailure>.Observer?>(nil)
    let (operatorLeash, (observerLeash, run)) = Self.probed { operatorToken in
      Self.probed { observerToken in
        let source = SignalProducer<Int, TestFailure> { observer, _ in input.set(observer) }
        return chain.apply(source, operatorToken).start { _ in
          withExtendedLifetime(observerToken) {}
        }
      }
    }
    input.value?.send(value: 1)
    #expect(observerLeash.isHeld)
    end.reach(input.value, run)
    #expect(run.isDisposed)
    #expect(!operatorLeash.isHeld)
    #expect(!observerLeash.isHeld)
    withExtendedLifetime(run) {}
  }

  @Test("P10: a start that is over before start returns leaves nothing behind")
  func synchronous() {
    let (probe, run) = Self.probed { token in
      SignalProducer<Int, Never> { observer, _ in
        withExtendedLifetime(token) { observer.send(value: 1) }
        observer.sendCompleted()
      }.startWithValues { _ in withExtendedLifetime(token) {} }
    }
    #expect(run.isDisposed)
    #expect(!probe.isHeld)
    withExtendedLifetime(run) {}
  }

  @Test("P10: a signal handed out by startWithSignal holds nothing of the start that is over")
  func handedOut() {
    let kept = Box<(Signal<Int, Never>, any Disposable)?>(nil)
    let (probe, _) = Self.probed { token in
      SignalProducer<Int, Never> { observer, _ in
        withExtendedLifetime(token) { observer.send(value: 1) }
        observer.sendCompleted()
      }.startWithSignal { signal, run in kept.set((signal, run)) }
    }
    #expect(!probe.isHeld)
    withExtendedLifetime(kept) {}
  }

  @Test("P10: a producer that flatMap's closure made holds nothing of that closure")
  func keptInner() {
    let kept = Box<[SignalProducer<Int, Never>]>([])
    let (probe, run) = Self.probed { token in
      SignalProducer<Int, Never>([1, 2]).flatMap(.merge) { value in
        let inner = SignalProducer<Int, Never>(value: value)
        kept.append(inner)
        return withExtendedLifetime(token) { inner }
      }.start()
    }
    #expect(run.isDisposed)
    #expect(!probe.isHeld)
    // It is a stream of its own now.
    let streams = kept.value.map { $0.startWithSignal { signal, _ in "\(signal)" } }
    #expect(streams.count == 2)
  }

  @Test("P10: a closure that keeps the producers that it makes does not keep itself")
  func cachedInner() {
    let (probe, run) = Self.probed { token in
      let cache = Box<[Int: SignalProducer<Int, Never>]>([:])
      return SignalProducer<Int, Never>([1, 2, 1]).flatMap(.concat) { value in
        cache.change { cache in
          if let known = cache[value] { return known }
          let new = hold(token, SignalProducer<Int, Never>(value: value).map { $0 + 1 })
          cache[value] = new
          return new
        }
      }.start()
    }
    #expect(run.isDisposed)
    #expect(!probe.isHeld)
  }

  /// Makes something around a token and tells whether the token is still held.
  private static func probed<Result>(_ make: (Token) -> Result) -> (WeakProbe, Result) {
    let token = Token()
    return (WeakProbe(token), make(token))
  }
}

/// Some operators with a closure that captures a token.
struct Chain: Sendable, CustomTestStringConvertible {
  typealias Producer = SignalProducer<Int, TestFailure>

  let testDescription: String
  let apply: @Sendable (Producer, Token) -> Producer

  private init(_ name: String, _ apply: @escaping @Sendable (Producer, Token) -> Producer) {
    testDescription = name
    self.apply = apply
  }

  static let all: [Chain] = [
    Chain("map") { source, token in source.map { hold(token, $0) } },
    Chain("map, filter, map") { source, token in
      source.map { hold(token, $0) }.filter { $0 > 0 }.map { hold(token, $0) }
    },
    Chain("on") { source, token in source.on(value: { _ in withExtendedLifetime(token) {} }) },
    Chain("flatMap") { source, token in
      source.flatMap(.merge) { hold(token, Producer(value: $0)) }
    },
    Chain("take(until:)") { source, token in
      source.take(until: SignalProducer<Int, Never>.never.map { _ in hold(token, ()) })
    },
    Chain("merge") { source, token in source.map { hold(token, $0) }.merge(with: Producer.empty) },
    Chain("concat") { source, token in
      source.concat(Producer { observer, _ in hold(token, observer).sendCompleted() })
    },
    Chain("lift") { source, token in source.lift { $0.map { hold(token, $0) } } },
    Chain("lift of two") { source, token in
      source.lift(Signal.merge(with:))(Producer([7]).map { hold(token, $0) })
    },
    Chain("observe(on:)") { source, token in
      source.map { hold(token, $0) }.observe(on: ImmediateScheduler())
    },
    Chain("replayLazily") { source, token in
      source.map { hold(token, $0) }.replayLazily(upTo: 1)
    },
  ]
}

@Sendable private func hold<Value>(_ token: Token, _ value: Value) -> Value {
  withExtendedLifetime(token) { value }
}
