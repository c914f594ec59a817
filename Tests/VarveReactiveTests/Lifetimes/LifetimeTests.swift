import Testing
import VarveReactive
import VarveTestRig

@Suite("Lifetimes")
struct LifetimeTests {
  @Test("D4: a lifetime ends when its token is released")
  func tokenReleased() {
    let count = Box(0)
    var token: Lifetime.Token? = Lifetime.Token()
    let lifetime = token.map { Lifetime($0) }
    lifetime?.observeEnded { count.change { $0 += 1 } }
    #expect(lifetime?.hasEnded == false)
    token = nil
    #expect(lifetime?.hasEnded == true)
    #expect(count.value == 1)
  }

  @Test("D4: a lifetime ends when its token is disposed of, once")
  func tokenDisposed() {
    let count = Box(0)
    let (lifetime, token) = Lifetime.make()
    lifetime.observeEnded { count.change { $0 += 1 } }
    token.dispose()
    token.dispose()
    #expect(lifetime.hasEnded)
    #expect(count.value == 1)
  }

  @Test("D4: observing an ended lifetime fires at once")
  func ended() {
    let count = Box(0)
    let disposable = AnyDisposable()
    #expect(Lifetime.empty.hasEnded)
    let handle = Lifetime.empty.observeEnded { count.change { $0 += 1 } }
    #expect(handle == nil)
    Lifetime.empty += disposable
    #expect(count.value == 1)
    #expect(disposable.isDisposed)
  }

  @Test("D4: all lifetimes of one token end together, in order of observation")
  func several() {
    let log = Box<[Int]>([])
    let token = Lifetime.Token()
    let (first, second) = (Lifetime(token), Lifetime(token))
    first.observeEnded { log.append(1) }
    second.observeEnded { log.append(2) }
    first += AnyDisposable { log.append(3) }
    token.dispose()
    #expect(log.value == [1, 2, 3])
    #expect(first.hasEnded && second.hasEnded)
  }

  @Test("an observation that was given up is not told of the end")
  func detached() {
    let log = Box<[Int]>([])
    let (lifetime, token) = Lifetime.make()
    let handle = lifetime.observeEnded { log.append(1) }
    let disposable = AnyDisposable()
    let other = lifetime += disposable
    handle?.dispose()
    other?.dispose()
    token.dispose()
    #expect(log.value == [])
    #expect(!disposable.isDisposed)
  }

  @Test("a lifetime keeps its token's owner alive for nobody")
  func keepsNothing() {
    weak var owner: Lifetime.Token?
    let lifetime: Lifetime
    do {
      let token = Lifetime.Token()
      owner = token
      lifetime = Lifetime(token)
    }
    #expect(owner == nil)
    #expect(lifetime.hasEnded)
  }

  @Test("D4: ending and observing at the same time runs every action once")
  func threads() {
    for _ in 0..<100 {
      let count = Box(0)
      let (lifetime, token) = Lifetime.make()
      onThreads(4) { index in
        if index == 0 { token.dispose() }
        for _ in 0..<10 { lifetime.observeEnded { count.change { $0 += 1 } } }
      }
      #expect(count.value == 40)
    }
  }
}
