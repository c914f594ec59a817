/// Room for one value that a stage keeps from event to event.
///
/// It is a stage's own and touched only inside its serializer. An `Optional` in a `var` would do, but
/// an optional of a type that is known only at run time costs a look-up for each event, and a `var`
/// that is lent to a closure a check for exclusive access.
struct Slot<Value>: ~Copyable {
  private let flag: UnsafeMutablePointer<Bool>
  /// Where the value is, or will be.
  let pointer: UnsafeMutablePointer<Value>

  /// Creates an empty one.
  init() {
    // One allocation for both: the flag lies in front of the value, where it needs no alignment.
    let alignment = MemoryLayout<Value>.alignment
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: alignment + MemoryLayout<Value>.size, alignment: alignment)
    flag = memory.bindMemory(to: Bool.self, capacity: 1)
    flag.initialize(to: false)
    pointer = (memory + alignment).bindMemory(to: Value.self, capacity: 1)
  }

  /// Creates one that holds `value`.
  init(_ value: Value) {
    self.init()
    fill(value)
  }

  deinit {
    if flag.pointee { pointer.deinitialize(count: 1) }
    UnsafeMutableRawPointer(flag).deallocate()
  }

  /// Whether there is a value.
  @inline(__always)
  var isFull: Bool { flag.pointee }

  /// Puts a value in, in place of the one that was there.
  @inline(__always)
  func fill(_ value: Value) {
    if flag.pointee {
      pointer.pointee = value
    } else {
      pointer.initialize(to: value)
      flag.pointee = true
    }
  }
}
