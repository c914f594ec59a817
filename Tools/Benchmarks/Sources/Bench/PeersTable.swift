import Foundation
import Measurement
import ReaderWorkloads
import RecorderWorkloads
import VarveFormat

/// Varve beside another recorder that `Peers/run` has measured on this machine just before.
enum PeersTable {
  private static let events = 2_000_000

  /// What a recorder needs for an event.
  private struct Row {
    var nanoseconds: Double
    var bytes: Double
    var millionsRead: Double
  }

  static func run(_ options: Options, into report: inout Report) throws {
    guard let path = options.peers else { return }
    let peers = try measured(path)
    Table.heading(
      "recorders", ["CPU ns/event", "", "bytes/event", "", "read M/s", ""])
    Table.row("", ["Varve", "LTTng", "Varve", "LTTng", "Varve", "babeltrace2"])
    for workload in PeerWorkload.allCases {
      guard let peer = peers[workload.rawValue] else { continue }
      let own = try measure(workload, rounds: min(options.rounds, 5))
      report.peers[workload.rawValue] = Report.Peers(
        cpuNs: own.nanoseconds, lttngNs: peer.nanoseconds, bytesPerEvent: own.bytes,
        lttngBytesPerEvent: peer.bytes, millionsRead: own.millionsRead,
        babeltraceMillionsRead: peer.millionsRead)
      Table.row(
        workload.title,
        [own.nanoseconds, peer.nanoseconds, own.bytes, peer.bytes, own.millionsRead]
          .map(Table.number) + [Table.number(peer.millionsRead)])
    }
  }

  /// Lines of an id, nanoseconds, bytes, and millions of events read in a second.
  private static func measured(_ path: String) throws -> [String: Row] {
    var rows: [String: Row] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Double($0) }
      guard numbers.count == 3 else { continue }
      rows[String(words[0])] = Row(
        nanoseconds: numbers[0], bytes: numbers[1], millionsRead: numbers[2])
    }
    return rows
  }

  private static func measure(_ workload: PeerWorkload, rounds: Int) throws -> Row {
    let path = Files.temporary("peer")
    defer { Files.remove(path) }
    var costs: [Double] = []
    for _ in 0..<rounds {
      costs.append(try workload.record(into: path, events: events).senderNanoseconds)
    }
    let reader = try TraceReader(path: path)
    let read = try (0..<rounds).map { _ in try ReaderWorkload.text(path).nanoseconds }
    return Row(
      nanoseconds: costs.median, bytes: Double(reader.bytes) / Double(reader.events),
      millionsRead: 1_000 / read.median)
  }
}
