// Symptom: The bar stays at 0 % for the whole update, and jumps to 100 % at its end.
// Looks at: the progress ("progress")

import Foundation
import Varve

enum FlashError: Error {
  case badChecksum(block: Int)
}

struct Image {
  var blocks: [[UInt8]]
  var size: Int { blocks.reduce(0) { $0 + $1.count } }
}

final class Bootloader {
  private let cable = QueueScheduler(name: "usb")
  private let written = MutableProperty(0)

  /// Writes a block, and sends how many bytes of it were written.
  func write(_ block: [UInt8]) -> SignalProducer<Int, FlashError> {
    SignalProducer { [written] in
      written.modify { $0 += block.count }
      return block.count
    }
    .promoteError(FlashError.self)
    .start(on: cable)
  }
}

final class UpdateModel {
  let fraction = MutableProperty(0)
  let message = MutableProperty("")

  func install(_ image: Image, with bootloader: Bootloader) -> SignalProducer<Int, FlashError> {
    let total = image.size
    return SignalProducer<[UInt8], FlashError>(image.blocks)
      .flatMap(.concat) { bootloader.write($0) }
      .scan(0) { $0 + $1 }
      .map { written in written / total * 100 }  // culprit
      .named("progress")
      .on(
        starting: { [message] in message.value = "Do not unplug the device" },
        completed: { [message] in message.value = "Restarting" },
        value: { [fraction] in fraction.value = $0 })
  }
}

let image = Image(blocks: (0..<12).map { Array(repeating: UInt8($0), count: 256) })
let update = UpdateModel()
update.fraction.signal.skipRepeats().observeValues { print("\($0) %") }
update.message.signal.observeValues { print($0) }
if case .failure(let error) = update.install(image, with: Bootloader()).waitForEnd() {
  print("failed: \(error)")
}
