import VarvePlatform

/// How much memory the program has.
enum Memory {
  /// Bytes that are resident: the heap, stacks, and what is mapped of a sidecar. The program's text,
  /// which comes into memory as it runs, is not in it.
  static var resident: Int {
    var isSidecar = false
    var mapped = 0
    for line in ProcFile("/proc/self/smaps").text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first?.contains("-") == true, words.count >= 5 {
        isSidecar = words.last?.hasSuffix("-live") == true
      } else if isSidecar, words.first == "Rss:" {
        mapped += Int(words[1]) ?? 0
      }
    }
    return (ProcFile("/proc/self/status").number(after: "RssAnon:") + mapped) * 1024
  }
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
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    let file = open(path, O_RDONLY)
    while file >= 0, case let count = read(file, &part, part.count), count > 0 {
      bytes += part[..<count]
    }
    if file >= 0 { close(file) }
    text = String(decoding: bytes, as: UTF8.self)
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
