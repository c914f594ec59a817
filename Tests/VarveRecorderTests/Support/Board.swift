import Synchronization
import VarvePlatform

/// Counters in memory that is shared with a `RecorderChild`: which event was the last of each thread
/// that `send` has returned from.
final class Board {
  private let counters: UnsafeMutableRawPointer

  /// Makes the board's file.
  init(path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    precondition(file >= 0 && ftruncate(file, 4096) == 0, "no board at \(path)")
    let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let mapped, mapped != MAP_FAILED else { preconditionFailure("cannot map \(path)") }
    close(file)
    counters = mapped
  }

  deinit { munmap(counters, 4096) }

  /// How many threads have been told that an event of theirs is lost.
  var losses: UInt64 { acknowledged(by: 63) }

  /// The last event of a thread that was acknowledged.
  func acknowledged(by thread: Int) -> UInt64 {
    (counters + thread * 64).assumingMemoryBound(to: Atomic<UInt64>.self)
      .pointee.load(ordering: .acquiring)
  }
}
