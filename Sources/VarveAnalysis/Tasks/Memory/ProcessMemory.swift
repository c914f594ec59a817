internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// The memory of a living process, which is not stopped: what a pointer leads to may be gone, which
/// is an error and no crash.
final class ProcessMemory: TaskMemory {
  private static let mostText = 64 << 20
  private static let mostThreads = 4096
  private static let pageBytes: UInt64 = 4096

  /// The process's memory as a file.
  private let memory: Int32
  private let pid: Int32
  let writable: [Range<UInt64>]
  private(set) var modules: [ModuleDefinition] = []
  /// The kernel's table of which pages have contents; nil if it may not be read.
  private let pageMap: Int32?

  /// Prepares to read a process.
  init(pid: Int32, program: String?) throws(TraceFileError) {
    self.pid = pid
    memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
    guard let text = Self.contents("/proc/\(pid)/maps") else {
      throw TraceFileError(
        .unreadable,
        kill(pid, 0) != 0 && errno == ESRCH
          ? "there is no process \(pid)"
          : "the memory of process \(pid) may not be read: try as its user, or as root")
    }
    var writable: [Range<UInt64>] = []
    var mappings: [FileMapping] = []
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let parsed = Self.parse(line) else { continue }
      if parsed.isWritable { writable.append(parsed.mapping.addresses) }
      if parsed.mapping.path.hasPrefix("/") { mappings.append(parsed.mapping) }
    }
    self.writable = writable
    let map = open("/proc/\(pid)/pagemap", O_RDONLY | O_CLOEXEC)
    pageMap = map >= 0 ? map : nil
    modules =
      MappedModules(mappings, program: program) { start in
        CoreFile.buildID(of: start) { address, count in
          var bytes = [UInt8](repeating: 0, count: count)
          return bytes.withUnsafeMutableBytes { self.read(address, into: $0) } ? bytes : nil
        }
      }.modules
    if let first = mappings.first {
      var byte: UInt8 = 0
      let isAllowed = withUnsafeMutableBytes(of: &byte) {
        read(first.addresses.lowerBound, into: $0)
      }
      guard isAllowed else {
        throw TraceFileError(
          .unreadable,
          "the memory of process \(pid) may not be read: try as its user or as root; a system may forbid it to all others (kernel.yama.ptrace_scope)"
        )
      }
    }
  }

  deinit {
    if memory >= 0 { close(memory) }
    if let pageMap { close(pageMap) }
  }

  func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard !buffer.isEmpty, address <= UInt64(Int64.max) else { return false }
    return pread(memory, buffer.baseAddress, buffer.count, off_t(address)) == buffer.count
  }

  /// The threads that wait in system calls: the system does not tell where the others are.
  var threads: [ThreadRegisters] {
    FolderListing.names(in: "/proc/\(pid)/task").prefix(Self.mostThreads).compactMap { name in
      // The number of the call and its arguments, the stack pointer, and the program counter.
      guard let thread = UInt64(name),
        let words = Self.contents("/proc/\(pid)/task/\(name)/syscall").map({
          String(decoding: $0, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        }), words.count >= 3,
        let stack = UInt64(words[words.count - 2].dropFirst(2), radix: 16),
        let counter = UInt64(words[words.count - 1].dropFirst(2), radix: 16)
      else { return nil }
      return ThreadRegisters(thread: thread, counter: counter, stack: stack)
    }
  }

  /// Pages without contents are left out: reading them would give the process tables for them.
  func resident(in range: Range<UInt64>) -> [Range<UInt64>] {
    guard let pageMap else { return [range] }
    var parts: [Range<UInt64>] = []
    var entries = [UInt64](repeating: 0, count: 8192)
    var page = range.lowerBound / Self.pageBytes
    let end = range.upperBound / Self.pageBytes
    while page < end {
      let wanted = Int(min(UInt64(entries.count), end - page))
      let bytes = entries.withUnsafeMutableBytes {
        pread(pageMap, $0.baseAddress, wanted * 8, off_t(clamping: page * 8))
      }
      guard bytes > 0 else { return [range] }
      for index in 0..<bytes / 8 where entries[index] >> 62 != 0 {
        let start = (page + UInt64(index)) * Self.pageBytes
        if parts.last?.upperBound == start, let last = parts.popLast() {
          parts.append(last.lowerBound..<start + Self.pageBytes)
        } else {
          parts.append(start..<start + Self.pageBytes)
        }
      }
      page += UInt64(bytes / 8)
    }
    return parts
  }

  /// Parses `55bff1d3f000-55bff1d60000 rw-p 00000000 00:00 0   [heap]`.
  private static func parse(
    _ line: ArraySlice<UInt8>
  ) -> (mapping: FileMapping, isWritable: Bool)? {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard parts.count >= 5 else { return nil }
    let words = parts.map { String(decoding: $0, as: UTF8.self) }
    let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
    guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(words[2], radix: 16) else {
      return nil
    }
    let path = words.count > 5 ? String(words[5].drop { $0 == " " }) : ""
    return (
      FileMapping(addresses: ends[0]..<ends[1], offset: offset, path: path),
      words[1].hasPrefix("rw")
    )
  }

  private static func contents(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < mostText {
      let count = VarvePlatform.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += buffer.prefix(count)
    }
    return bytes
  }
}
