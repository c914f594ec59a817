import Testing
import VarveProbe

@testable import VarveRecorder

/// When snapshots are made.
@Suite struct SnapshotWatchTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }
  private static let second: UInt64 = 1_000_000_000

  @Test("T6: as many snapshots are made as are asked for, one a second")
  func asked() {
    let watch = SnapshotWatch([], besides: path)
    for turn in 1...40 as ClosedRange<UInt64> {
      watch.ask()
      #expect(watch.takeDue(now: turn * Self.second) == folder.file("run-snapshot-\(turn).varve"))
      watch.ask()
      #expect(watch.takeDue(now: turn * Self.second + 1) == nil)
    }
    #expect(watch.takeDue(now: .max) == folder.file("run-snapshot-41.varve"))
  }

  @Test("T6: what streams do has eight snapshots made; then those are made that are asked for")
  func triggered() {
    let watch = SnapshotWatch([.failure(of: "fails-for-ever")], besides: path)
    watch.begin()
    defer { watch.end() }
    let stream: UInt32 = 0xfa11
    DefinitionStore.shared.keep(
      .stream(
        StreamDefinition(
          id: stream, name: "fails-for-ever", derivation: "pipe", operation: "pipe", parents: [],
          place: nil, valueType: "Int", born: 0)))
    var made: [Bool] = []
    for turn in 1...11 as ClosedRange<UInt64> {
      fail(stream, watch)
      if turn == 10 { watch.ask() }
      made.append(watch.takeDue(now: turn * Self.second) != nil)
    }
    #expect(made == Array(repeating: true, count: 8) + [false, true, false])
    #expect(!watch.looksAtRecords)
  }

  /// Shows a record of a failure.
  private func fail(_ stream: UInt32, _ watch: SnapshotWatch) {
    var record = [UInt8](repeating: 0, count: 40)
    record[0] = 5
    record[1] = RecordKind.failed.rawValue
    record.withUnsafeMutableBytes { $0.storeBytes(of: stream, toByteOffset: 4, as: UInt32.self) }
    record.withUnsafeBytes { watch.look(at: $0) }
  }
}
