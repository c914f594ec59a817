/// Storage for one value that a stage keeps between events.
///
/// It belongs to one stage and is accessed only inside its serializer. An `Optional` in a `var`
/// would do, but an optional of a type that is known only at run time costs a type look-up for each
/// event, and passing a `var` to a closure inout costs an exclusivity check.
struct Slot<Value>: ~Copyable {
  private let flag: UnsafeMutablePointer<Bool>
  /// The address of the value, present or not.
  let pointer: UnsafeMutablePointer<Value>

  /// Creates an empty slot.
  init() {
    // One allocation for both: the flag lies before the value, where it needs no alignment.
    let alignment = MemoryLayout<Value>.alignment
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: alignment + MemoryLayout<Value>.size, alignment: alignment)
    flag = memory.bindMemory(to: Bool.self, capacity: 1)
    flag.initialize(to: false)
    pointer = (memory + alignment).bindMemory(to: Value.self, capacity: 1)
  }

  /// Creates a slot that holds `value`.
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

  /// Stores a value, replacing the previous one if there is one.
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
