import CVarveSystem
import Testing
import VarveFormat

@testable import VarveRecorder

/// What becomes of definitions for which there is no room.
@Suite struct DefinitionTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  // A release build passes no milestone at which its drain thread could be held up.
  #if DEBUG
    @Test(
      "T6: who makes streams does not wait for a disk that hangs",
      arguments: ["policy=drop", "keep=1M"])
    func hanging(policy: String) {
      // Many times what the log holds.
      let end = Child.run("hanging", [path, "20000", policy])
      #expect(end.status == 0 && end.output == "made them all\n", "\(end)")
    }

    @Test("T6: of several definitions the last counts, also where some had to wait in memory")
    func stalling() throws {
      let end = Child.run("stalling", [path, "12000", "policy=drop"])
      #expect(end.status == 0, "\(end)")
      let trace = try RecordedTrace(path)
      #expect(trace.losses.isEmpty && trace.streams.count == 12_000)
      #expect(trace.streams.values.allSatisfy { $0.name == "last" })
    }
  #endif

  @Test("T6: streams made while the disk is full are defined when there is room, or counted")
  func crammed() throws {
    let count = 120_000
    let end = Child.run("crammed", [path, "\(count)", "policy=drop,ring=64K"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .clean)
    let lost = trace.losses.filter { $0.reason == .notDefined }.reduce(0) { $0 + $1.count }
    #expect(lost > 0)
    // One stream and one scheduler that were left out live on, and are told of once more.
    #expect(trace.streams.count - 1 + Int(lost) - 2 == count)
    #expect(trace.streams[UInt32(count + 1)]?.name == "late")
    #expect(try TraceReader(path: path).definitions.schedulers[1]?.name == "late")
  }

  @Test("T6: definitions wait in so much memory, what is more is counted, and told of once")
  func overflow() throws {
    var overflow = DefinitionOverflow()
    let definition = [UInt8](repeating: 7, count: 1_000)
    let room = DefinitionOverflow.most / definition.count
    for tick in 1...UInt64(room + 3) { overflow.append(definition, at: 0, ticks: tick) }
    #expect(overflow.bytes == room * definition.count)
    #expect(overflow.parts.map(\.bytes.count) == [overflow.bytes])
    let loss = try #require(overflow.loss)
    #expect(loss.count == 3 && loss.ticks == UInt64(room + 1)...UInt64(room + 3))
    // One more comes while the file is told.
    overflow.append(definition, at: 0, ticks: 1)
    overflow.told(loss)
    let rest = try #require(overflow.loss)
    #expect(rest.count == 1 && rest.ticks.lowerBound > loss.ticks.upperBound)
    overflow.told(rest)
    #expect(overflow.loss == nil)
    // And one more while half of them are written.
    overflow.written(overflow.bytes / 2)
    overflow.append(definition, at: 64, ticks: 1)
    #expect(overflow.parts.map(\.position) == [0, 64])
    overflow.written(overflow.parts[0].bytes.count)
    #expect(overflow.parts.map(\.bytes) == [definition] && overflow.bytes == definition.count)
    overflow.written(definition.count)
    #expect(overflow.parts.isEmpty && overflow.bytes == 0 && overflow.loss == nil)
  }

  @Test(
    "T6: who chose to block waits for the log of definitions as well; nobody else does for long")
  func policies() {
    var options = Recorder.Options()
    #expect(options.logPolicy == vv_policy_hesitate)
    options.policy = .keepLast(.bytes(1 << 20))
    #expect(options.logPolicy == vv_policy_hesitate)
    options.policy = .block
    #expect(options.logPolicy == vv_policy_block)
  }
}
