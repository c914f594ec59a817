extension EventColumns {
  /// Leaves out all events but those at some indices. What was not decoded is left as it is.
  public mutating func keep(_ part: Range<Int>) {
    let dropped = count - part.upperBound
    func cut<Element>(_ column: inout [Element]) {
      guard column.count == count else { return }
      column.removeLast(dropped)
      column.removeFirst(part.lowerBound)
    }
    cut(&ticks)
    cut(&kinds)
    cut(&streams)
    cut(&subscriptions)
    cut(&backs)
    cut(&payloadKinds)
    cut(&words)
    if textStarts.count == count + 1 {
      textStarts.removeLast(dropped)
      textStarts.removeFirst(part.lowerBound)
    }
    farCauses = farCauses.compactMap { index, cause in
      part.contains(index) ? (index - part.lowerBound, cause) : nil
    }
    count = part.count
    firstSequence += UInt64(part.lowerBound)
  }
}

extension EventColumns {
  /// Some of a block's events, on their own. Columns that were not decoded stay empty.
  package init(_ part: Range<Int>, of whole: borrowing EventColumns) {
    count = part.count
    ring = whole.ring
    firstSequence = whole.firstSequence + UInt64(part.lowerBound)
    let all = whole.count
    func copy<Element>(_ column: [Element]) -> [Element] {
      column.count == all ? Array(column[part]) : []
    }
    ticks = copy(whole.ticks)
    kinds = copy(whole.kinds)
    streams = copy(whole.streams)
    subscriptions = copy(whole.subscriptions)
    backs = copy(whole.backs)
    payloadKinds = copy(whole.payloadKinds)
    words = copy(whole.words)
    if whole.textStarts.count == all + 1 {
      let start = whole.textStarts[part.lowerBound]
      textStarts = whole.textStarts[part.lowerBound...part.upperBound].map { $0 - start }
      heap = Array(whole.heap[Int(start)..<Int(whole.textStarts[part.upperBound])])
    }
    farCauses = whole.farCauses[whole.farCauses(of: part)].map {
      ($0.index - part.lowerBound, $0.cause)
    }
  }

  /// Where the far causes of some events are told.
  private func farCauses(of part: Range<Int>) -> Range<Int> {
    let start = farCauses.partitionPoint { $0.index >= part.lowerBound }
    let end = farCauses.partitionPoint { $0.index >= part.upperBound }
    return start..<end
  }

  /// How much memory the columns have been given.
  package var heldBytes: Int {
    ticks.heldBytes + kinds.heldBytes + streams.heldBytes + subscriptions.heldBytes
      + backs.heldBytes + payloadKinds.heldBytes + words.heldBytes + textStarts.heldBytes
      + heap.heldBytes + farCauses.heldBytes
  }

  /// How much memory some of the events would take on their own.
  package func bytes(of part: Range<Int>) -> Int {
    func bytes<Element>(_ column: [Element]) -> Int {
      column.count == count ? part.count * MemoryLayout<Element>.stride : 0
    }
    var sum = bytes(ticks) + bytes(kinds) + bytes(streams) + bytes(subscriptions) + bytes(backs)
    sum += bytes(payloadKinds) + bytes(words)
    if textStarts.count == count + 1 {
      sum += part.count * MemoryLayout<UInt32>.stride
      sum += Int(textStarts[part.upperBound] - textStarts[part.lowerBound])
    }
    return sum + farCauses(of: part).count * MemoryLayout<(Int, EventName)>.stride
  }
}

extension Array {
  fileprivate var heldBytes: Int { capacity * MemoryLayout<Element>.stride }
}
