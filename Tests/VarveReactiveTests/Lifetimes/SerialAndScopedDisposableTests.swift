import Testing
import VarveReactive
import VarveTestRig

@Suite("SerialDisposable")
struct SerialDisposableTests {
  @Test("D3: putting another in disposes of the one before")
  func replaces() {
    let (first, second) = (AnyDisposable(), AnyDisposable())
    let serial = SerialDisposable(first)
    #expect(serial.inner === first)
    serial.inner = second
    #expect(first.isDisposed)
    #expect(!second.isDisposed)
    #expect(serial.inner === second)
  }

  @Test("D3: swapping hands the one before back, not disposed of")
  func swaps() {
    let (first, second) = (AnyDisposable(), AnyDisposable())
    let serial = SerialDisposable(first)
    #expect(serial.swapInner(second) === first)
    #expect(!first.isDisposed)
    serial.dispose()
    #expect(!first.isDisposed)
    #expect(second.isDisposed)
  }

  @Test("D3: after disposal, what is put in is disposed of at once, and nothing is held")
  func late() {
    let serial = SerialDisposable()
    serial.dispose()
    serial.dispose()
    let (first, second) = (AnyDisposable(), AnyDisposable())
    serial.inner = first
    #expect(serial.swapInner(second) == nil)
    #expect(first.isDisposed && second.isDisposed && serial.isDisposed)
    #expect(serial.inner == nil)
  }

  @Test("D1: of all that several threads put in, everything is disposed of once")
  func threads() {
    let serial = SerialDisposable()
    let disposed = Box(0)
    onThreads(4) { _ in
      for _ in 0..<1000 { serial.inner = AnyDisposable { disposed.change { $0 += 1 } } }
    }
    #expect(disposed.value == 3999)
    serial.dispose()
    #expect(disposed.value == 4000)
  }
}

@Suite("ScopedDisposable")
struct ScopedDisposableTests {
  @Test("D3: it disposes when it goes out of scope")
  func scope() {
    let inner = AnyDisposable()
    do {
      let scoped = ScopedDisposable(inner)
      #expect(!scoped.isDisposed)
      withExtendedLifetime(scoped) {}
    }
    #expect(inner.isDisposed)
  }

  @Test("D3: it disposes when told to, before its scope ends")
  func early() {
    let scoped = ScopedDisposable(AnyDisposable())
    scoped.dispose()
    #expect(scoped.isDisposed && scoped.inner.isDisposed)
  }

  @Test("it wraps a disposable of any type")
  func erased() {
    let inner: any Disposable = SerialDisposable()
    do { withExtendedLifetime(ScopedDisposable(inner)) {} }
    #expect(inner.isDisposed)
  }

  @Test("additions go to the composite inside")
  func composite() {
    let (disposable, count) = (AnyDisposable(), Box(0))
    var scoped: ScopedDisposable? = ScopedDisposable(CompositeDisposable())
    if let scoped {
      scoped += disposable
      scoped += { count.change { $0 += 1 } }
    }
    scoped = nil
    #expect(disposable.isDisposed && count.value == 1)
  }

  @Test("the serial disposable inside is reached through it")
  func serial() {
    let (first, second) = (AnyDisposable(), AnyDisposable())
    let scoped = ScopedDisposable(SerialDisposable())
    let none: (any Disposable)? = scoped.inner
    #expect(none == nil)
    scoped.inner = first
    scoped.inner = second
    let held: (any Disposable)? = scoped.inner
    #expect(held === second && first.isDisposed && !second.isDisposed)
  }
}
