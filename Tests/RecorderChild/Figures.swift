import Glibc

/// How much memory the program has.
enum Memory {
  /// Bytes that are resident, mapped files included.
  static var resident: Int { ProcFile("/proc/self/status").number(after: "VmRSS:") * 1024 }
}

/// How often threads have waited and been woken.
enum Wakes {
  static func ofDrainThread() -> Int {
    guard let folder = opendir("/proc/self/task") else { return -1 }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let status = ProcFile("/proc/self/task/\(name)/status")
      if status.text.contains("varve.drain") {
        return status.number(after: "voluntary_ctxt_switches:")
      }
    }
    return -1
  }
}

/// One of the small files by which Linux tells about processes.
struct ProcFile {
  let text: String

  init(_ path: String) {
    var bytes = [UInt8](repeating: 0, count: 8192)
    let file = open(path, O_RDONLY)
    let count = file < 0 ? 0 : max(0, read(file, &bytes, bytes.count))
    if file >= 0 { close(file) }
    text = String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// The number in the line that begins with a word; -1 when there is none.
  func number(after word: String) -> Int {
    for line in text.split(separator: "\n") where line.hasPrefix(word) {
      let rest = line.dropFirst(word.count).split { $0 == " " || $0 == "\t" }
      return rest.first.flatMap { Int($0) } ?? -1
    }
    return -1
  }
}
