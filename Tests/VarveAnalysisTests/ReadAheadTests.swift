import Foundation
import Synchronization
import Testing
import VarveFormat

@testable import VarveAnalysis

/// Blocks that another thread loads before a query asks for them.
@Suite(
  "Reading ahead",
  .enabled(
    if: ProcessInfo.processInfo.activeProcessorCount > 1, "not run: there is one processor"))
struct ReadAheadTests {
  /// What was loaded, and how often.
  private final class Loads: Sendable {
    let blocks = Mutex<[Int: Int]>([:])

    func load(_ block: Int, _ batch: EventBatch) -> Result<Bool, TraceFileError> {
      blocks.withLock { $0[block, default: 0] += 1 }
      batch.columns.firstSequence = UInt64(block)
      if block % 7 == 3 { return .failure(TraceFileError(.damaged, "block \(block)")) }
      return .success(block % 5 != 0)
    }
  }

  @Test(
    "each block is loaded once, by one of both threads, and handed out in order, with its errors")
  func order() throws {
    for round in 0..<200 {
      let loads = Loads()
      let order = (0..<40).shuffled()
      let ahead = try #require(ReadAhead(order) { loads.load($0, $1) })
      for (place, block) in order.enumerated() {
        // Blocks that are read again are none of its own.
        if place > 0 { #expect(ahead.take(order[place - 1], for: EventBatch()) == nil) }
        if round % 3 == 0 {
          for _ in 0..<Int.random(in: 0..<2_000) { _ = loads.blocks.withLock { $0.count } }
        }
        let spare = EventBatch()
        guard let loaded = ahead.take(block, for: spare) else {
          _ = loads.load(block, spare)
          continue
        }
        #expect(loaded.batch.columns.firstSequence == UInt64(block) && loaded.batch !== spare)
        switch loaded.result {
        case .success(let matches): #expect(block % 7 != 3 && matches == (block % 5 != 0))
        case .failure(let error): #expect(error.message.contains("block \(block)"))
        }
      }
      #expect(
        loads.blocks.withLock { $0 } == Dictionary(uniqueKeysWithValues: order.map { ($0, 1) }))
      #expect(ahead.take(order[0], for: EventBatch()) == nil)
    }
  }

  @Test("who waits for a block loads those after it")
  func help() throws {
    let (isHeld, isLoaded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let loaded = Mutex<[Int]>([])
    let ahead = try #require(
      ReadAhead(Array(0..<40)) { block, batch in
        // The other thread goes on once those after its first block were loaded.
        if block == 1 {
          isHeld.signal()
          isLoaded.wait()
        }
        batch.columns.firstSequence = UInt64(block)
        let isDone = loaded.withLock { loaded in
          loaded.append(block)
          return loaded.contains(2) && loaded.contains(3)
        }
        if isDone { isLoaded.signal() }
        return .success(true)
      })
    #expect(ahead.take(0, for: EventBatch()) == nil)
    isHeld.wait()
    for block in 1..<4 {
      #expect(ahead.take(block, for: EventBatch())?.batch.columns.firstSequence == UInt64(block))
    }
    #expect(loaded.withLock { $0.firstIndex(of: 1) } == 2)
  }

  @Test("no more than two blocks are loaded that were not asked for, and few blocks not at all")
  func bound() throws {
    let loads = Loads()
    #expect(ReadAhead(Array(0..<3)) { loads.load($0, $1) } == nil)
    let ahead = try #require(
      ReadAhead(Array(0..<100)) { loads.load($0, $1) })
    for block in 0..<10 {
      if ahead.take(block, for: EventBatch()) == nil { _ = loads.load(block, EventBatch()) }
      #expect(loads.blocks.withLock { $0.count } <= block + 3)
    }
  }
}
