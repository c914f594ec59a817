import Dispatch
import Varve

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A note is saved, which needs its folder, which is loaded on the queue that saves. Nothing goes on
/// from there, until the user has had enough and kills the program.
struct WaitForItself {
  private let storage = QueueScheduler(name: "storage")

  func run() {
    let (notes, input) = Signal<String, Never>.pipe(named: "note")
    notes.observe(on: storage).named("saving").observeValues { save($0) }
    input.send(value: "milk")
    input.send(value: "bread")
    usleep(300_000)
    kill(getpid(), SIGKILL)
  }

  private func save(_ note: String) {
    let folder = loadFolder().waitForFirst()?.get() ?? "lost"  // culprit
    print("saved \(note) in \(folder)")
  }

  /// Asks the storage for the folder of today.
  private func loadFolder() -> SignalProducer<String, Never> {
    SignalProducer(value: "2026-11").start(on: storage).named("folder")
  }
}
