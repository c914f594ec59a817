import CVarveSystem
import Synchronization
import VarvePlatform

/// Runs a body on so many threads of the system, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { index in Thread { body(index) } }
  for thread in threads { thread.join() }
}

/// A thread of the system, at work from birth.
struct Thread {
  private let handle: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(ThreadBody(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 128 * 1024)
    var thread = pthread_t()
    let error = pthread_create(
      &thread, &attributes,
      { context in
        Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard error == 0 else {
      print("no thread: error \(error)")
      exit(4)
    }
    handle = thread
  }

  /// Waits for its end.
  func join() { pthread_join(handle, nil) }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Waits until something is so, for longer than any machine needs; false when it never was.
func waits(until isSo: () -> Bool) -> Bool {
  for _ in 0..<60_000 {
    if isSo() { return true }
    usleep(1_000)
  }
  return false
}

/// Threads wait here until all have come.
final class Meeting: @unchecked Sendable {
  // Safety: the barrier is the system's, made once and never moved.
  private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

  init(of count: Int) { pthread_barrier_init(barrier, nil, UInt32(count)) }

  func attend() { pthread_barrier_wait(barrier) }
}

/// Counters in memory that is shared with the process that looks on: a line of the cache each.
struct Board: @unchecked Sendable {
  // Safety: mapped for good; each counter is atomic and written by one thread.
  private let counters: UnsafeMutableRawPointer

  init(path: String) {
    let file = open(path, O_RDWR)
    guard file >= 0, let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      mapped != MAP_FAILED
    else {
      print("no board at \(path)")
      exit(4)
    }
    counters = mapped
  }

  @inline(__always)
  func acknowledge(_ value: UInt64, thread: Int) {
    let counter = (counters + thread * 64).assumingMemoryBound(to: Atomic<UInt64>.self)
    counter.pointee.store(value, ordering: .releasing)
  }

  /// Tells that a thread was told of a loss.
  func noteLoss() {
    let counter = (counters + 63 * 64).assumingMemoryBound(to: Atomic<UInt64>.self)
    counter.pointee.add(1, ordering: .releasing)
  }
}

/// After so many seconds a program or its child is taken to hang; none needs a hundredth of it.
let patience: UInt32 = 900

/// Swift hides `fork`, for good reasons, which are those of this test.
func forked() -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  guard let symbol = dlsym(nil, "fork") else {
    print("no fork")
    exit(4)
  }
  let process = unsafeBitCast(symbol, to: Fork.self)()
  // Alarms are not inherited, and a child that hangs would keep the test's pipe open.
  if process == 0 { alarm(patience) }
  return process
}

/// Ends the program with a mistake unless a child of a fork, the `turn`th, ends well by itself.
func expectEnd(of child: pid_t, _ turn: Int) {
  var status: Int32 = 0
  for _ in 0..<60_000 where waitpid(child, &status, WNOHANG) == 0 { usleep(1_000) }
  guard kill(child, SIGKILL) != 0, status == 0 else {
    print("child \(turn) hangs, or ended with \(status)")
    exit(1)
  }
}

/// Does what has the runtime make types that the drain thread needs, too.
@inline(never)
func useTypes() {
  let numbers = [3, 1, 2]
  precondition(numbers.withUnsafeBytes { $0.prefix { $0 != 0 }.count } == 1)
  precondition(numbers.sorted(by: >) == [3, 2, 1])
}
