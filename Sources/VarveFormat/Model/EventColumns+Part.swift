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
    firstEvent += UInt64(part.lowerBound)
  }
}
