internal import CVarveSystem
internal import Dispatch

/// The thread of a program's user interface.
enum MainThread {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether this is the main thread, or a thread that drains the main queue because the main
  /// thread has exited (on Linux, `dispatchMain` ends it).
  static var isCurrent: Bool {
    vv_thread_is_main() || DispatchQueue.getSpecific(key: mark) != nil
  }
}
