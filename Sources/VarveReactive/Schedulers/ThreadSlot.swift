internal import CVarveSystem

/// The thread-local record of the library. It stays at one address while the thread lives.
typealias ThreadSlot = UnsafeMutablePointer<vv_thread>

extension UnsafeMutablePointer<vv_thread> {
  /// The slot of the calling thread. Every thread has one, which a C header cannot express.
  @inline(__always)
  static var current: ThreadSlot { vv_thread_current().unsafelyUnwrapped }
}

/// The identity of the calling thread, for tests.
package enum CurrentThread {
  /// A number that no other living thread has.
  package static var number: UInt { UInt(bitPattern: vv_thread_current()) }
}
