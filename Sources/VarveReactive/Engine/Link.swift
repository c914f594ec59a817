/// An unretained pointer to the next observer, held in an atomic word; 0 if there is none.
///
/// Events pass through such words because a reference in a `var` would cost an exclusivity check
/// and a retain per event. The holder of the word also owns the observer, in another field.
enum Link {
  @inline(__always)
  static func word<Value, Failure: Error>(_ observer: Observer<Value, Failure>) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(observer).toOpaque())
  }

  /// Returns the observer that a nonzero word points to.
  static func observer(at word: UInt) -> AnyObserver {
    Unmanaged<AnyObserver>.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
      .takeUnretainedValue()
  }

  /// Delivers a value to the observer that a word points to.
  @inline(__always)
  static func deliver<Value, Failure: Error>(
    _ value: Value, to word: UInt, _: Observer<Value, Failure>.Type
  ) {
    guard let pointer = UnsafeRawPointer(bitPattern: word) else { return }
    Unmanaged<Observer<Value, Failure>>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
      $0.receive(value)
    }
  }

  /// Delivers the end to the observer that a word points to.
  static func deliver<Value, Failure: Error>(
    _ termination: Termination<Failure>, to word: UInt, _: Observer<Value, Failure>.Type
  ) {
    guard let pointer = UnsafeRawPointer(bitPattern: word) else { return }
    Unmanaged<Observer<Value, Failure>>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
      $0.terminate(termination)
    }
  }
}
