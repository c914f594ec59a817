import Testing
import VarveReactive
import VarveTestRig

@Suite("AnyDisposable")
struct AnyDisposableTests {
  @Test("D1: the action runs once, however often it is disposed of")
  func once() {
    let count = Box(0)
    let disposable = AnyDisposable { count.change { $0 += 1 } }
    #expect(!disposable.isDisposed)
    disposable.dispose()
    disposable.dispose()
    #expect(count.value == 1)
    #expect(disposable.isDisposed)
  }

  @Test("D1: the action runs once when eight threads dispose at the same time")
  func onceAmongThreads() {
    let count = Box(0)
    let disposables = (0..<500).map { _ in AnyDisposable { count.change { $0 += 1 } } }
    onThreads(8) { _ in
      for disposable in disposables { disposable.dispose() }
    }
    #expect(count.value == 500)
  }

  @Test("D1: an action may dispose of its own disposable")
  func recursive() {
    let count = Box(0)
    let handle = Box<AnyDisposable?>(nil)
    handle.set(
      AnyDisposable {
        count.change { $0 += 1 }
        handle.value?.dispose()
      })
    handle.value?.dispose()
    #expect(count.value == 1)
  }

  @Test("a disposable that is kept keeps nothing of what its action captured")
  func releases() {
    weak var captured: Box<Int>?
    let disposable: AnyDisposable
    do {
      let box = Box(0)
      captured = box
      disposable = AnyDisposable { box.set(1) }
    }
    #expect(captured != nil)
    disposable.dispose()
    #expect(captured == nil)
  }

  @Test("it stands for another disposable, and sees when that one was disposed of")
  func wraps() {
    let inner = AnyDisposable()
    let first = AnyDisposable(inner)
    let second = AnyDisposable(inner)
    #expect(!first.isDisposed)
    first.dispose()
    #expect(inner.isDisposed)
    #expect(second.isDisposed)
  }

  @Test("D1: asking and disposing at the same time ends disposed")
  func askedMeanwhile() {
    for _ in 0..<200 {
      let inner = AnyDisposable()
      let outer = AnyDisposable(inner)
      onThreads(3) { index in
        if index == 0 { outer.dispose() } else { for _ in 0..<20 { _ = outer.isDisposed } }
      }
      #expect(outer.isDisposed && inner.isDisposed)
    }
  }
}
