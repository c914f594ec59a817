import Testing
import VarveFormat
import VarvePlatform

/// Kills a program that records, and looks what is left. `VARVE_KILLS` says how often, all tests
/// together; the usual numbers take seconds.
@Suite(.serialized) struct KillTests {
  @Test(
    "T5: kill -9 at full rate loses no event that send returned from, doubles none, keeps order")
  func killAtScale() throws {
    let kills = Killing.count(usual: 3, ofTenThousand: 50)
    var recorded: UInt64 = 0
    for _ in 0..<kills {
      let killing = Killing()
      let sent = try killing.kill(after: .random(in: 100_000...250_000))
      recorded += try killing.checkComplete(sent)
      #expect(try TraceReader(path: killing.path).ending == .killed)
    }
    print("kill -9: \(kills) runs, \(recorded / UInt64(kills)) events a run, all there")
    #expect(recorded / UInt64(kills) >= 100_000)
  }

  @Test(
    "T5: kill -9 loses nothing of one, two and eight threads, numbers and texts, fast and slow",
    arguments: [1, 2, 8],
    ["", "texts", "paced", "texts,paced", "streams", "streams,texts", "threads,texts"])
  func killInEveryManner(threads: Int, manner: String) throws {
    for turn in 0..<Killing.count(usual: 2, ofTenThousand: 350) {
      // In a large ring all events wait for a first block; of a small one blocks are written meanwhile.
      let options = turn % 2 == 0 ? "policy=block" : "policy=block,ring=64K"
      let killing = Killing(threads: threads, manner: manner, options: options)
      let most: UInt64 = manner.contains("paced") || manner.contains("threads") ? 3_000 : 12_000
      _ = try killing.checkComplete(try killing.kill(after: .random(in: 100...most)))
    }
  }

  @Test(
    "T6: what is missing after kill -9 is exactly what the trace says is missing",
    arguments: [1, 2, 8], ["drops", "drops,texts", "drops,paced"])
  func killWhileDropping(threads: Int, manner: String) throws {
    var lost: UInt64 = 0
    // Who pauses now and then loses nothing, or little.
    let isPaced = manner.contains("paced")
    for _ in 0..<Killing.count(usual: 3, ofTenThousand: 100) {
      let killing = Killing(threads: threads, manner: manner, options: "policy=drop,ring=64K")
      let sent = try killing.kill(
        after: .random(in: 1_000...(isPaced ? 5_000 : 40_000)), once: isPaced ? .nothing : .loss)
      lost += try killing.checkAccounted(sent)
    }
    #expect(lost > 0 || isPaced)
  }

  @Test("T5: kill -9 of a recording that goes through many files loses nothing")
  func killWhileRotating() throws {
    for _ in 0..<Killing.count(usual: 6, ofTenThousand: 500) {
      let killing = Killing(
        manner: "noise,streams", options: "policy=block,rotate=64K,ring=64K")
      _ = try killing.checkComplete(try killing.kill(after: .random(in: 1_000...10_000)))
    }
  }

  @Test("T6: what a flight recorder lacks after kill -9 is exactly what its trace says it lacks")
  func killFlightRecorder() throws {
    var lost: UInt64 = 0
    for turn in 0..<Killing.count(usual: 6, ofTenThousand: 500) {
      let killing = Killing(
        manner: "drops,paced,texts",
        options: "keep=64K,first=\(Bool.random() ? 1 : 32_768),ring=64K")
      let sent = try killing.kill(
        after: .random(in: 3_000...40_000), once: turn % 3 == 0 ? .replacement : .nothing)
      lost += try killing.checkAccounted(sent, hasLatest: true)
    }
    #expect(lost > 0)
  }

  @Test(
    "T6: a flight recorder that cannot keep up gives up the oldest events, never the newest",
    arguments: [1, 2, 8], ["drops", "drops,texts"])
  func killOverrunFlightRecorder(threads: Int, manner: String) throws {
    for _ in 0..<Killing.count(usual: 3, ofTenThousand: 50) {
      let killing = Killing(threads: threads, manner: manner, options: "keep=8M,ring=64K")
      let sent = try killing.kill(after: .random(in: 20_000...60_000))
      _ = try killing.checkAccounted(sent, hasLatest: true)
    }
  }

  @Test("T5: kill -9 while a recording begins leaves a trace that can be read, or none")
  func killAtTheBeginning() throws {
    for _ in 0..<Killing.count(usual: 16, ofTenThousand: 1_000) {
      let killing = Killing()
      let sent = try killing.kill(afterMicroseconds: .random(in: 500...25_000))
      // There is no trace as long as the file is not there, or empty.
      if Folder.contents(killing.path).isEmpty {
        #expect(sent == [0, 0])
      } else {
        _ = try killing.checkComplete(sent)
      }
      // Whatever is left is in nobody's way.
      let again = Child.run("exit", [killing.path, "100", ""])
      #expect(again.status == 0, "\(again.output)")
      #expect(try RecordedTrace(killing.path).count == 100)
    }
  }
}

#if DEBUG
  import VarveRecorder

  /// Kills the program where its files are between two states.
  @Suite(.serialized) struct MilestoneTests {
    @Test("T5: kill -9 at any step of beginning a recording leaves nothing that misleads")
    func beginning() throws {
      for milestone in [Milestone.sidecarMade, .traceMade, .recordingOpened] {
        let killing = Killing(milestone: "\(milestone):1")
        #expect(try killing.dieAtMilestone() == [0, 0])
        if case .success(let reader) = Result(catching: { try TraceReader(path: killing.path) }) {
          #expect(reader.events == 0 && reader.damage.isEmpty)
        }
        // Whatever is left is in nobody's way.
        let again = Child.run("exit", [killing.path, "100", ""])
        #expect(again.status == 0, "\(again.output)")
        #expect(try RecordedTrace(killing.path).count == 100)
      }
    }

    @Test(
      "T5: kill -9 at any step of making rings loses nothing",
      arguments: [Milestone.ringReserved, .ringMapped, .ringReady])
    func rings(milestone: Milestone) throws {
      for turn in 0..<Killing.count(usual: 5, ofTenThousand: 100) {
        let killing = Killing(
          threads: 16, manner: "paced", milestone: "\(milestone):\(7 + turn % 5)")
        _ = try killing.checkComplete(try killing.dieAtMilestone())
      }
    }

    @Test(
      "T5: kill -9 at any step of writing definitions and blocks loses nothing",
      arguments: [
        Milestone.definitionsWritten, .threadsWritten, .blockDue, .blockWritten, .blockPassed,
      ], ["streams", "streams,texts"])
    func blocks(milestone: Milestone, manner: String) throws {
      for _ in 0..<Killing.count(usual: 3, ofTenThousand: 100) {
        let turn = milestone == .threadsWritten ? 1 : Int.random(in: 1...8)
        let killing = Killing(
          manner: manner, options: "policy=block,ring=64K", milestone: "\(milestone):\(turn)")
        _ = try killing.checkComplete(try killing.dieAtMilestone())
      }
    }

    @Test("T5: a block that was written in part loses nothing")
    func tornBlock() throws {
      for _ in 0..<Killing.count(usual: 12, ofTenThousand: 300) {
        let killing = Killing(
          options: "policy=block,ring=64K", milestone: "blockWritten:\(Int.random(in: 1...8))")
        let sent = try killing.dieAtMilestone()
        let reader = try TraceReader(path: killing.path)
        let last = try #require(reader.blocks.last { $0.offset != nil })
        let start = try #require(last.offset)
        // The file ends with that block: its writer died right behind it.
        #expect(start + last.storedBytes == reader.bytes)
        let end = UInt64.random(in: start...start + last.storedBytes - 1)
        #expect(truncate(killing.path, off_t(end)) == 0)
        _ = try killing.checkComplete(sent)
      }
    }

    @Test(
      "T5: kill -9 at any step of going on in another file loses nothing",
      arguments: [
        Milestone.nextFileWritten, .oldFileLinked, .nextFileInPlace, .oldFileFinished,
      ])
    func rotating(milestone: Milestone) throws {
      for _ in 0..<Killing.count(usual: 3, ofTenThousand: 150) {
        let killing = Killing(
          manner: "noise,streams", options: "policy=block,rotate=64K,ring=64K",
          milestone: "\(milestone):\(Int.random(in: 1...4))")
        _ = try killing.checkComplete(try killing.dieAtMilestone())
      }
    }

    @Test(
      "T6: kill -9 at any step of leaving out what is not kept leaves a true account",
      arguments: [Milestone.nextFileWritten, .nextFileInPlace])
    func forgetting(milestone: Milestone) throws {
      for _ in 0..<Killing.count(usual: 3, ofTenThousand: 100) {
        let killing = Killing(
          manner: "drops,noise", options: "keep=64K,first=32K,ring=64K",
          milestone: "\(milestone):\(Int.random(in: 1...4))")
        _ = try killing.checkAccounted(try killing.dieAtMilestone())
      }
    }

    @Test(
      "T6: kill -9 at any step of telling what was overwritten leaves a true account",
      arguments: [Milestone.gapOpened, .gapTold, .blockWritten], ["drops", "drops,texts"])
    func overwriting(milestone: Milestone, manner: String) throws {
      for turn in 0..<Killing.count(usual: 3, ofTenThousand: 50) {
        let killing = Killing(
          manner: manner, options: "keep=8M,ring=64K", milestone: "\(milestone):\(1 + turn % 8)")
        let sent = try killing.dieAtMilestone()
        let lost = try killing.checkAccounted(sent, hasLatest: true)
        #expect(lost > 0 || milestone == .blockWritten)
      }
    }

    @Test(
      "T6: kill -9 at any step of blocks, files and the end leaves a true account of what is dropped",
      arguments: [
        Milestone.ringReady, .blockDue, .blockWritten, .blockPassed, .nextFileWritten,
        .nextFileInPlace, .oldFileFinished,
      ])
    func dropping(milestone: Milestone) throws {
      // The first region is the log's, before there is a trace.
      let turns = milestone == .ringReady ? 2...4 : 1...4
      for _ in 0..<Killing.count(usual: 3, ofTenThousand: 50) {
        let killing = Killing(
          threads: 4, manner: "drops,noise", options: "policy=drop,rotate=64K,ring=64K",
          milestone: "\(milestone):\(turns.randomElement()!)")
        _ = try killing.checkAccounted(try killing.dieAtMilestone())
      }
    }

    @Test("T6: kill -9 while a loss is told tells it once")
    func losses() throws {
      for _ in 0..<Killing.count(usual: 8, ofTenThousand: 300) {
        let killing = Killing(
          manner: "drops", options: "policy=drop,ring=64K",
          milestone: "lossesWritten:\(Int.random(in: 1...8))")
        _ = try killing.checkAccounted(try killing.dieAtMilestone())
      }
    }

    @Test(
      "T5: kill -9 at any step of completing a trace loses nothing",
      arguments: [
        Milestone.settled, .trailerWritten, .ringsRetired, .sidecarRemoved,
      ])
    func closing(milestone: Milestone) throws {
      for _ in 0..<Killing.count(usual: 4, ofTenThousand: 150) {
        let killing = Killing(
          threads: 4, manner: "streams,\(UInt64.random(in: 100...9_000))",
          milestone: "\(milestone):1")
        _ = try killing.checkComplete(try killing.dieAtMilestone())
      }
    }
  }
#endif
