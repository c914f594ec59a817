internal import VarveAnalysis

/// The place of a file among those of several traces, in folders that are called as Hive calls them:
/// `day=2026-11-29/program=shop/4711-2026-11-29T081500.250000000Z.parquet`.
package struct TracePartition: Hashable, Sendable {
  /// The program; nil if the trace does not say which one it was.
  let program: String?
  let pid: UInt32?
  /// The moment of the first row, in nanoseconds since 1970.
  let first: Int64

  /// The folders, the outer one first.
  package var folders: [String] {
    // Hive's name for what has no value.
    let none = "__HIVE_DEFAULT_PARTITION__"
    let program = program.flatMap { $0.isEmpty ? nil : Self.escaped($0) } ?? none
    return ["day=\(WallTime.text(nanoseconds: first).prefix(10))", "program=\(program)"]
  }

  /// The name of the file. It is that of the process and the first row, so that neither runs of a
  /// program nor the files of a rotated recording get in each other's way, and the same export again
  /// has the same name.
  package var file: String {
    let moment = WallTime.text(nanoseconds: first).filter { $0 != ":" }
    return "\(pid.map(String.init) ?? "unknown")-\(moment).parquet"
  }

  /// Returns the number of the day of a moment, in UTC, since 1970.
  static func day(of moment: Int64) -> Int64 {
    let day: Int64 = 86_400_000_000_000
    return moment / day - (moment % day < 0 ? 1 : 0)
  }

  /// What Hive escapes in the names of folders.
  private static let special = Set("\"#%'*/:=?\\{}[]^\u{7f}".utf8)

  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      guard byte < 0x20 || special.contains(byte) else {
        bytes.append(byte)
        continue
      }
      bytes += "%".utf8
      bytes += String(UInt16(byte) | 256, radix: 16).uppercased().utf8.dropFirst()
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
