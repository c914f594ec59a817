internal import CVarveSystem

/// What the calling thread carries with it. It stays at one address while the thread lives.
typealias ThreadSlot = UnsafeMutablePointer<vv_thread>

extension UnsafeMutablePointer<vv_thread> {
  /// The calling thread's. A thread always has one; C headers cannot say so.
  @inline(__always)
  static var current: ThreadSlot { vv_thread_current().unsafelyUnwrapped }
}

/// Which thread this is, for tests of what comes where.
package enum CurrentThread {
  /// A number that no other living thread has.
  package static var number: UInt { UInt(bitPattern: vv_thread_current()) }
}
