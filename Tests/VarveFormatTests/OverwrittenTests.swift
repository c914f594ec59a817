import Testing
import VarveFormat
import VarveProbe

@Suite("Rings whose oldest records were given up")
struct OverwrittenTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  private func records(_ range: Range<UInt64>) -> RecordBytes {
    var records = RecordBytes(firstSequence: range.lowerBound)
    for number in range { records.add(ticks: number * 10, payload: .integer(Int64(number))) }
    return records
  }

  /// Of ring 1, records 1 to 50 are in the file and 81 to 90 in the ring; the ring says that the
  /// file has, or tells of, those up to `drained`, and may say which gap it is being told.
  private func losses(
    drained: UInt64, gap: (until: UInt64, loss: TraceLoss)? = nil, told: [TraceLoss] = []
  ) throws -> [TraceLoss] {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1..<51))
    try writer.append(losses: told)
    var sidecar = SidecarBytes()
    sidecar.add(records(81..<91), ring: 1, passed: 4_096, drained: drained, gap: gap)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let reader = try TraceReader(path: folder.path())
    #expect(reader.events == 60 && reader.damage == [])
    // A repaired trace tells the same.
    try TraceRepair.write(reader, to: folder.path("repaired"), replacing: true)
    #expect(try TraceReader(path: folder.path("repaired")).losses == reader.losses)
    return reader.losses
  }

  private func loss(_ count: UInt64, _ ticks: ClosedRange<UInt64>) -> TraceLoss {
    TraceLoss(ring: 1, count: count, ticks: ticks, reason: .notKept)
  }

  @Test("T6: records that were given up are told by the numbers of those that are left")
  func unsaid() throws {
    #expect(try losses(drained: 50) == [loss(30, 501...809)])
    // The block is in the file, and its writer died before it had noted that.
    #expect(try losses(drained: 20) == [loss(30, 501...809)])
  }

  @Test("T6: records that were given up are told once, wherever the telling was broken off")
  func brokenOff() throws {
    let first = loss(10, 501...609)
    let rest = loss(20, 610...809)
    #expect(try losses(drained: 50, gap: (60, first)) == [first, rest])
    #expect(try losses(drained: 50, gap: (60, first), told: [first]) == [first, rest])
    #expect(try losses(drained: 60, gap: (60, first), told: [first]) == [first, rest])
    let all = loss(30, 501...809)
    #expect(try losses(drained: 50, gap: (80, all)) == [all])
    #expect(try losses(drained: 80, gap: (80, all), told: [all]) == [all])
  }

  @Test("T6: what each of several rings has given up begins where its own records end")
  func several() throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1..<51))
    try writer.append(records(1..<31), ring: 2)
    var sidecar = SidecarBytes()
    sidecar.add(records(81..<91), ring: 1, passed: 4_096, drained: 50)
    sidecar.add(records(71..<91), ring: 2, passed: 4_096, drained: 30)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let losses = try TraceReader(path: folder.path()).losses
    #expect(losses.sorted { $0.ring < $1.ring }.map(\.ticks) == [501...809, 301...709])
    #expect(losses.sorted { $0.ring < $1.ring }.map(\.count) == [30, 40])
  }
}
