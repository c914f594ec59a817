// Symptom: While the shelf is read again, nothing on the screen moves for most of a second.
// Looks at: the main actor

import Foundation

let shelves = CommandLine.arguments.count > 8 ? 1 : 7

@MainActor
final class Shelf {
  private(set) var books = 0
  private(set) var beats = 0

  /// Reads one file after the other.
  func reload() {
    for _ in 0..<shelves {
      usleep(100_000)  // culprit
      books += 12
    }
  }

  func beat() { beats += 1 }
}

@main
struct ShelfReload {
  static func main() async {
    let shelf = await Shelf()
    let clock = Task(name: "clock") {
      for _ in 0..<40 {
        try? await Task.sleep(for: .milliseconds(20))
        await shelf.beat()
      }
    }
    try? await Task.sleep(for: .milliseconds(40))
    await shelf.reload()
    await clock.value
    print("\(await shelf.books) books")
  }
}
