internal import CVarveSystem
internal import VarveFormat
internal import VarveProbe

/// The parts of the file that the drain thread writes besides the records themselves.
extension Drain {
  /// Writes the definitions committed to the log, and frees their space; those that did not fit
  /// there, each in its turn, which stay in memory until they are in the file; and the number of
  /// those left out.
  func writeDefinitions() throws(TraceFileError) {
    // The head first: definitions that go to memory later are newer than those before it.
    let head = vv_ring_published(log.pointee.ring)
    let overflow = DefinitionStore.shared.overflow
    for part in overflow.parts {
      try writeLog(to: part.position)
      try writer.append(definitionBytes: part.bytes)
      DefinitionStore.shared.overflowWritten(part.bytes.count)
    }
    try writeLog(to: head)
    if let loss = overflow.loss {
      try defineAgain()
      try writer.append(losses: [loss])
      DefinitionStore.shared.overflowTold(loss)
    }
  }

  /// Writes the definitions of live streams and of schedulers, which may include those left out:
  /// they continue to be recorded. Modules are defined again before the next stack.
  private func defineAgain() throws(TraceFileError) {
    DefinitionStore.shared.modules.withLock { $0.forgetKept() }
    try writer.append(definitions: Probe.liveStreams().map { TraceDefinition.stream($0) })
    try writer.append(definitions: DefinitionStore.shared.knownSchedulers.map { .scheduler($0) })
  }

  private func writeLog(to end: UInt64) throws(TraceFileError) {
    let ring = log.pointee.ring!
    let tail = vv_ring_tail(ring)
    // Unless a stray pointer has written there.
    guard tail < end, end - tail <= log.pointee.capacity else { return }
    try writer.append(definitionBytes: log.bytes(from: tail, to: end))
    Milestone.definitionsWritten.pass()
    vv_ring_pass(ring, end, 0)
    vv_slot_room_made(log)
  }

  /// Writes the definitions of the rings' threads.
  func writeThreads() throws(TraceFileError) {
    var threads: [TraceDefinition] = []
    for index in rings.indices {
      if let thread = rings[index].newThread() { threads.append(.thread(thread)) }
    }
    guard !threads.isEmpty else { return }
    do throws(TraceFileError) {
      try writer.append(definitions: threads)
      Milestone.threadsWritten.pass()
    } catch {
      for index in rings.indices { rings[index].putThreadBack() }
      throw error
    }
  }

  /// Writes the runs of losses that are over, or all of them.
  func writeLosses(whole: Bool) throws(TraceFileError) {
    var losses: [TraceLoss] = []
    for index in rings.indices { losses += rings[index].takeLosses(whole: whole) }
    let ringless = self.ringless.takeLosses(whole: whole)
    losses += ringless.map(\.loss)
    if whole, let others = self.ringless.othersLoss { losses.append(others) }
    do throws(TraceFileError) {
      try writer.append(definitions: ringless.map { .thread($0.thread) })
      try writer.append(losses: losses)
      if !losses.isEmpty { Milestone.lossesWritten.pass() }
    } catch {
      for index in rings.indices { rings[index].putLossesBack() }
      self.ringless.putLossesBack()
      throw error
    }
    for index in rings.indices { rings[index].lossesWritten() }
    self.ringless.lossesWritten()
  }

  /// Writes the runs of losses that continue, so far, for a trace that is complete without the
  /// sidecar. They are reported again when they are over: the larger count is right.
  func writeOpenLosses() throws(TraceFileError) {
    try writeThreads()
    let ringless = self.ringless.openLosses
    try writer.append(definitions: ringless.map { .thread($0.thread) })
    try writer.append(losses: rings.flatMap(\.openLosses) + ringless.map(\.loss))
  }

  /// Writes a clock anchor if one is due: soon after the beginning, then more and more rarely, and
  /// none while nothing happens.
  func writeAnchor(now: UInt64) throws(TraceFileError) {
    guard now >= nextAnchor, writer.events > eventsAtAnchor else { return }
    try writer.append(anchor: .now(options))
    eventsAtAnchor = writer.events
    anchorInterval = min(anchorInterval * 2, 10_000_000_000)
    nextAnchor = now + anchorInterval
  }
}

extension TraceWriter {
  fileprivate func append(definitionBytes bytes: [UInt8]) throws(TraceFileError) {
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(TraceFileError) in try append(definitionLog: bytes) }
    }
    try outcome.get()
  }
}

extension UnsafeMutablePointer<vv_slot> {
  /// Returns the bytes of the ring between two positions, in one piece.
  fileprivate func bytes(from start: UInt64, to end: UInt64) -> [UInt8] {
    let offset = Int(start & (pointee.capacity - 1))
    let count = Int(end - start)
    let first = Swift.min(count, Int(pointee.capacity) - offset)
    let data = pointee.data!
    return Array(UnsafeBufferPointer(start: data + offset, count: first))
      + Array(UnsafeBufferPointer(start: data, count: count - first))
  }
}
