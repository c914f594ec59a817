import Testing
import VarveReactive
import VarveTestRig

@Suite("CompositeDisposable")
struct CompositeDisposableTests {
  private let log = Box<[Int]>([])

  private func logging(_ number: Int) -> AnyDisposable {
    AnyDisposable { [log] in log.append(number) }
  }

  @Test("D2: it disposes in order of addition")
  func order() {
    let composite = CompositeDisposable([logging(0), logging(1)])
    composite.add(logging(2))
    composite += { [log] in log.append(3) }
    composite += logging(4)
    composite.dispose()
    composite.dispose()
    #expect(log.value == [0, 1, 2, 3, 4])
    #expect(composite.isDisposed)
  }

  @Test("D2: what is added after its disposal is disposed of at once")
  func late() {
    let composite = CompositeDisposable()
    composite.dispose()
    #expect(composite.add(logging(1)) == nil)
    let handle = composite.add { [log] in log.append(2) }
    #expect(handle == nil)
    #expect(log.value == [1, 2])
  }

  @Test("the handle takes an addition out without disposing of it, wherever it stands")
  func handles() {
    let composite = CompositeDisposable()
    let handles = (0..<5).map { composite.add(logging($0)) }
    for index in [2, 0, 4] {
      #expect(handles[index]?.isDisposed == false)
      handles[index]?.dispose()
      handles[index]?.dispose()
      #expect(handles[index]?.isDisposed == true)
    }
    composite += logging(5)
    #expect(log.value == [])
    composite.dispose()
    #expect(log.value == [1, 3, 5])
    #expect(handles[1]?.isDisposed == true)
  }

  @Test("taking an addition out releases it")
  func handleReleases() {
    let composite = CompositeDisposable()
    weak var captured: AnyDisposable?
    let handle: (any Disposable)?
    do {
      let disposable = AnyDisposable()
      captured = disposable
      handle = composite.add(disposable)
    }
    #expect(captured != nil)
    handle?.dispose()
    #expect(captured == nil)
  }

  @Test("nil is added in vain, and so is what has been disposed of")
  func nothing() {
    let none: (any Disposable)? = nil
    let spent = AnyDisposable()
    spent.dispose()
    let composite = CompositeDisposable([none, logging(1), none])
    #expect(composite.add(none) == nil)
    #expect(composite.add(spent) == nil)
    composite.dispose()
    #expect(log.value == [1])
  }

  @Test("releasing it disposes of nothing, and lets everything go")
  func released() {
    weak var captured: AnyDisposable?
    var handle: (any Disposable)?
    do {
      let composite = CompositeDisposable()
      let disposable = logging(1)
      captured = disposable
      handle = composite.add(disposable)
    }
    #expect(captured == nil)
    handle?.dispose()
    handle = nil
    #expect(log.value == [])
  }

  @Test("its actions may add to it, take out of it and dispose of it")
  func recursive() {
    let composite = CompositeDisposable()
    let later = Box<(any Disposable)?>(nil)
    composite += { [log, unowned composite] in
      later.value?.dispose()
      composite += { log.append(1) }
      composite.dispose()
      log.append(2)
    }
    later.set(composite.add { [log] in log.append(3) })
    composite.dispose()
    #expect(log.value == [1, 2, 3])
  }

  @Test("D1: additions, removals and disposal from many threads lose and double nothing")
  func threads() {
    for _ in 0..<50 {
      let composite = CompositeDisposable()
      let disposed = Box(0)
      let added = Box(0)
      onThreads(4) { index in
        for step in 0..<100 {
          let handle = composite.add { disposed.change { $0 += 1 } }
          added.change { $0 += 1 }
          // While the composite lives, taking out means that the action never runs.
          if step % 3 == 0, let handle, !composite.isDisposed {
            handle.dispose()
          }
          if index == 0 && step == 60 { composite.dispose() }
        }
      }
      #expect(composite.isDisposed)
      #expect(disposed.value <= added.value)
      #expect(disposed.value >= added.value - 4 * 34)
    }
  }

  @Test("a million additions are released without a deep stack")
  func many() {
    let composite = CompositeDisposable()
    for _ in 0..<1_000_000 { composite.add {} }
    let abandoned = CompositeDisposable()
    for _ in 0..<1_000_000 { abandoned.add {} }
    composite.dispose()
    #expect(composite.isDisposed)
  }
}
