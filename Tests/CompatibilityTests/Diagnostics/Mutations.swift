// A local variable that is changed after a closure has captured it: the one kind of race that the
// compiler tells of in Swift 5 mode, too, and what is to be done about it.

import ReactiveSwiftCompatibility

func mutates(_ signal: Signal<Int, Never>, _ producer: SignalProducer<Int, Never>) {
  var isProcessing = true
  let observer = Signal<Int, Never>.Observer(
    value: { if isProcessing { print($0) } })  // 6: warning
  signal.observe(observer)
  isProcessing = false  // 5: warning, 6: warning
  var isShowing = true
  signal.observeValues { if isShowing { print($0) } }  // 6: warning
  isShowing = false  // 5: warning, 6: warning
  var isLogging = true
  producer.on(value: { if isLogging { print($0) } }).start()  // 6: warning
  isLogging = false  // 5: warning, 6: warning
}

func says(_ signal: Signal<Int, Never>) {
  var isProcessing = true
  func show(_ value: Int) { if isProcessing { print(value) } }
  signal.observeValues(show)  // 6: warning
  isProcessing = false
}

func isSafe(_ signal: Signal<Int, Never>) {
  let isProcessing = Atomic(true)
  signal.observeValues { if isProcessing.value { print($0) } }
  isProcessing.value = false
}

extension Result where Failure == TestError {
  func error() -> Result<Int, TestError>.Error? { nil }
}

struct TestError: Swift.Error {}
