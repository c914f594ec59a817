extension EventEncoder {
  /// Writes the payload of the walked records.
  func write(_ walk: RecordWalk, of ring: UInt32, startTick: UInt64) {
    chooseWordForms(walk.count)
    out.append(varint: UInt64(shapeTable.count))
    out.append(varint: UInt64(texts.count))
    out.append(varint: UInt64(texts.suffixes.count))
    out.append(varint: startTick)
    planes.append(Column.ticks, ticks + 1, count: walk.count - 1, to: out)
    writeShapes()
    if shapeTable.count > 1 { planes.append(Column.shapes, shapes, count: walk.count, to: out) }
    if !subscriptions.isZero {
      planes.append(Column.subscriptions, subscriptions.base, count: walk.count, to: out)
    }
    if !backs.isZero { planes.append(Column.backs, backs.base, count: walk.count, to: out) }
    planes.append(Column.words, words, count: wordCount, to: out)
    texts.write(to: out, planes, of: ring)
    planes.append(Column.farCauses, farCauses, to: out)
  }

  /// Chooses the form of each shape's words. They were collected as differences, and are rewritten
  /// where the plain form is smaller.
  private func chooseWordForms(_ count: Int) {
    var isPlainSomewhere = false
    for number in 0..<shapeTable.count {
      let shape = shapeTable.shapes + number
      shape.pointee.wordForm = samples.form(of: number, count: shape.pointee.wordsSeen)
      shape.pointee.lastWord = shape.pointee.firstWord
      isPlainSomewhere = isPlainSomewhere || shape.pointee.wordForm == WordForm.plain
    }
    guard isPlainSomewhere else { return }
    var next = 0
    for index in 0..<count {
      let shape = shapeTable.shapes + Int(shapes[index])
      guard shape.pointee.layout == .word else { continue }
      shape.pointee.lastWord &+= unzigzag(words[next])
      if shape.pointee.wordForm == WordForm.plain { words[next] = shape.pointee.lastWord }
      next += 1
    }
  }

  private func writeShapes() {
    writeDifferences(Column.shapeStreams) { UInt64($0.stream) }
    writeShapeColumn(Column.shapeKinds) { UInt64($0.kind) }
    writeShapeColumn(Column.shapePayloads) { UInt64($0.payload) }
    writeShapeColumn(Column.shapeFarCauses) { UInt64($0.farCauses) }
    writeDifferences(Column.shapeSubscriptions) { $0.firstSubscription }
    writeShapeColumn(Column.shapeBacks) { UInt64($0.firstBack) }
    writeShapeColumn(Column.shapeWordForms) { UInt64($0.wordForm) }
    writeDifferences(Column.shapeWords) { $0.startWord }
  }

  /// Writes a column that stores each shape's number less that of the shape before it.
  private func writeDifferences(_ column: UInt8, _ value: (Shape) -> UInt64) {
    var previous: UInt64 = 0
    writeShapeColumn(column) { shape in
      let number = value(shape)
      defer { previous = number }
      return zigzag(number &- previous)
    }
  }

  private func writeShapeColumn(_ column: UInt8, _ value: (Shape) -> UInt64) {
    let count = shapeTable.count
    let values = shapeValues.reserve(count)
    for number in 0..<count { values[number] = value(shapeTable.shapes[number]) }
    planes.append(column, values, count: count, to: out)
  }
}
