import Foundation
import ReactiveSwiftCompatibility
import Testing

/// A client's own disposable.
private final class Flag: Disposable {
  private let state = Atomic(false)
  var isDisposed: Bool { state.value }
  func dispose() { state.value = true }
}

@Suite struct DisposableForms {
  @Test("D1: a disposable disposes once, whatever it is made of")
  func any() {
    var count = 0
    let action = AnyDisposable { count += 1 }
    action.dispose()
    action.dispose()
    #expect(count == 1)
    #expect(action.isDisposed)
    let flag = Flag()
    let wrapped = AnyDisposable(flag)
    #expect(!wrapped.isDisposed)
    wrapped.dispose()
    #expect(flag.isDisposed)
    let plain = AnyDisposable()
    plain.dispose()
    #expect(plain.isDisposed)
  }

  @Test("D2: a composite disposes of all that was added, and at once of what comes late")
  func composite() {
    let flags = [Flag(), Flag(), Flag()]
    let composite = CompositeDisposable([flags[0], flags[1]])
    composite += flags[2]
    var log: [String] = []
    composite += { log.append("closure") }
    let handle: Disposable? = composite.add { log.append("taken out") }
    handle?.dispose()
    composite.add(nil)
    composite += nil as Disposable?
    composite.dispose()
    #expect(flags.allSatisfy { $0.isDisposed })
    composite += { log.append("late") }
    #expect(log == ["closure", "late"])
    let optional: [Disposable?] = [Flag(), nil]
    #expect(!CompositeDisposable(optional).isDisposed)
    #expect(!CompositeDisposable().isDisposed)
  }

  @Test(
    "D3: a serial disposable disposes of what it replaces, a scoped one at the end of its scope")
  func serialAndScoped() {
    let (a, b, c) = (Flag(), Flag(), Flag())
    let serial = SerialDisposable(a)
    serial.inner = b
    #expect(a.isDisposed)
    #expect(!b.isDisposed)
    serial.dispose()
    serial.inner = c
    #expect(c.isDisposed)
    #expect(SerialDisposable().inner == nil)

    let inside = Flag()
    var scoped: ScopedDisposable<AnyDisposable>? = ScopedDisposable(inside as Disposable)
    #expect(scoped?.isDisposed == false)
    scoped = nil
    #expect(inside.isDisposed)
    let own = ScopedDisposable(Flag())
    #expect(!own.inner.isDisposed)
    var log: [String] = []
    var many: ScopedDisposable<CompositeDisposable>? = ScopedDisposable(CompositeDisposable())
    many! += { log.append("closure") }
    many! += AnyDisposable { log.append("disposable") }
    many = nil
    #expect(log == ["closure", "disposable"])
    let scopedSerial = ScopedDisposable(SerialDisposable())
    let last = Flag()
    scopedSerial.inner = last
    scopedSerial.inner = nil
    #expect(last.isDisposed)
  }

  @Test("D4: a lifetime ends with its token, and tells those who want to know")
  func lifetimes() {
    var token: Lifetime.Token? = Lifetime.Token()
    let lifetime = Lifetime(token!)
    let flag = Flag()
    var log: [String] = []
    lifetime += flag
    let handle = lifetime.observeEnded { log.append("taken out") }
    handle?.dispose()
    lifetime.observeEnded { log.append("ended") }
    lifetime.ended.observeCompleted { log.append("completed") }
    #expect(!lifetime.hasEnded)
    token = nil
    #expect(lifetime.hasEnded)
    #expect(flag.isDisposed)
    #expect(Set(log) == ["ended", "completed"])
    lifetime.observeEnded { log.append("late") }
    #expect(log.last == "late")
    #expect(Lifetime.empty.hasEnded)
    let (other, otherToken) = Lifetime.make()
    otherToken.dispose()
    #expect(other.hasEnded)
    #expect((other += Flag()) == nil)
  }
}
