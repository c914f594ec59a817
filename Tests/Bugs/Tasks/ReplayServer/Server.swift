import Foundation

struct Upload: Sendable {
  let player: Int
  var bytes: [UInt8]
}

/// What is kept of an upload for the access log.
struct Receipt: Sendable {
  let player: Int
  let replay: [UInt8]
}

actor Archive {
  private(set) var count = 0

  func file(_ receipt: Receipt) { count += 1 }
}

struct ReplayServer: Sendable {
  let archive = Archive()

  func serve(_ uploads: AsyncStream<Upload>) async {
    await withTaskGroup(of: Receipt.self) { group in  // culprit
      for await upload in uploads {
        group.addTask { await handle(upload) }
      }
    }
  }

  private func handle(_ upload: Upload) async -> Receipt {
    let receipt = Receipt(player: upload.player, replay: upload.bytes.reversed())
    await archive.file(receipt)
    return receipt
  }
}

/// The memory that the process has at the moment, in megabytes.
func residentMegabytes() -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * 4_096 / 1_000_000
}
