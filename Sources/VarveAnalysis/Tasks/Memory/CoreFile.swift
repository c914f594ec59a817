internal import VarveFormat
internal import VarveProbe

/// The memory of a program in a core file, as the kernel or a debugger writes one.
final class CoreFile: TaskMemory {
  private static let mostNotes: UInt64 = 64 << 20
  private static let mostThreads = 4096
  private static let fileNote: UInt32 = 0x4649_4c45
  private static let statusNote: UInt32 = 1

  private let elf: ELFFile
  /// The segments with contents, by address.
  private let segments: [ELFFile.Segment]
  private let mappings: [FileMapping]
  let threads: [ThreadRegisters]
  private(set) var modules: [ModuleDefinition] = []
  private var files: [UInt32: ELFFile] = [:]

  /// Opens a core file.
  ///
  /// - Parameters:
  ///   - path: The core file.
  ///   - program: The executable, where it is not at its path.
  init(path: String, program: String?) throws(TraceFileError) {
    guard let elf = ELFFile(path: path), elf.type == ELFFile.core else {
      throw TraceFileError(.notATrace, "\(path) is not a core file of a program of 64 bits")
    }
    self.elf = elf
    segments = elf.segments
      .filter { segment in
        segment.type == ELFFile.Segment.load && segment.fileBytes > 0
          && segment.address <= UInt64.max - segment.fileBytes
          && segment.offset <= elf.file.size
          && segment.fileBytes <= elf.file.size - segment.offset
      }
      .sorted { $0.address < $1.address }
    (mappings, threads) = Self.readNotes(in: elf)
    guard !mappings.isEmpty else {
      throw TraceFileError(
        .damaged,
        "\(path) does not say which files were in memory, or is cut short: was there room for it?")
    }
    let mapped = MappedModules(mappings, program: program) { start in
      Self.buildID(of: start) { address, count in
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes { self.readCore(address, into: $0) } ? bytes : nil
      }
    }
    modules = mapped.modules
    files = mapped.files
  }

  var writable: [Range<UInt64>] {
    segments.filter(\.isWritable).map { $0.address..<$0.address + $0.fileBytes }
  }

  func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    readCore(address, into: buffer) || readFile(address, into: buffer)
  }

  private func readCore(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    let after = segments.partitionPoint { $0.address > address }
    guard after > 0 else { return false }
    let segment = segments[after - 1]
    let start = address - segment.address
    guard start < segment.fileBytes, UInt64(buffer.count) <= segment.fileBytes - start else {
      return false
    }
    return elf.file.read(at: segment.offset + start, into: buffer)
  }

  /// Memory that is the same as in the file it comes from is usually left out of a core file.
  private func readFile(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard let mapping = mappings.first(where: { $0.addresses.contains(address) }),
      let module = modules.first(where: { $0.addresses.contains(address) }),
      let file = files[module.id]?.file
    else { return false }
    let start = address - mapping.addresses.lowerBound
    guard mapping.offset <= UInt64.max - start else { return false }
    return file.read(at: mapping.offset + start, into: buffer)
  }

  // MARK: - Notes

  /// Calls `visit` with each note: its type, and where its content is in the notes.
  private static func forEachNote(in elf: ELFFile, _ visit: (UInt32, ArraySlice<UInt8>) -> Void) {
    for segment in elf.segments where segment.type == ELFFile.Segment.note {
      guard
        let notes = elf.file.bytes(at: segment.offset, count: segment.fileBytes, most: mostNotes)
      else { continue }
      var at = 0
      while notes.count - at >= 12 {
        let name = Int(notes.load(at: at, as: UInt32.self))
        let size = Int(notes.load(at: at + 4, as: UInt32.self))
        let content = at + 12 + (name + 3) & ~3
        guard content <= notes.count, size <= notes.count - content else { break }
        visit(notes.load(at: at + 8), notes[content..<content + size])
        at = content + (size + 3) & ~3
      }
    }
  }

  /// Reads the notes that list the files in memory, and the registers of threads.
  private static func readNotes(
    in elf: ELFFile
  ) -> (mappings: [FileMapping], threads: [ThreadRegisters]) {
    var mappings: [FileMapping] = []
    var threads: [ThreadRegisters] = []
    forEachNote(in: elf) { type, content in
      switch type {
      case fileNote where mappings.isEmpty: mappings = Self.mappings(Array(content))
      case statusNote where threads.count < mostThreads && elf.isX86:
        // The thread's number is at 32, the registers are at 112: rbp is the fifth of them, rip the
        // seventeenth, rsp the twentieth.
        let note = Array(content)
        guard note.count >= 272 else { return }
        threads.append(
          ThreadRegisters(
            thread: UInt64(note.load(at: 32, as: UInt32.self)), counter: note.load(at: 240),
            stack: note.load(at: 264), frame: note.load(at: 144)))
      default: break
      }
    }
    return (mappings, threads)
  }

  /// The note has the number of files and the size of a page; for each file, where it begins and
  /// ends in memory and where in the file, in pages; then the paths.
  private static func mappings(_ note: [UInt8]) -> [FileMapping] {
    guard note.count >= 16 else { return [] }
    let (count, page) = (note.load(at: 0, as: UInt64.self), note.load(at: 8, as: UInt64.self))
    guard count <= UInt64(note.count - 16) / 24 else { return [] }
    let paths = note[(16 + Int(count) * 24)...].split(
      separator: 0, maxSplits: Int(count), omittingEmptySubsequences: false)
    return zip(0..<Int(count), paths).compactMap { index, path in
      let at = 16 + index * 24
      let (start, end) = (
        note.load(at: at, as: UInt64.self), note.load(at: at + 8, as: UInt64.self)
      )
      let (offset, overflow) = note.load(at: at + 16, as: UInt64.self)
        .multipliedReportingOverflow(by: page)
      guard start < end, !overflow else { return nil }
      return FileMapping(
        addresses: start..<end, offset: offset, path: String(decoding: path, as: UTF8.self))
    }
  }

  /// Returns the build ID of a module, from its headers in memory.
  static func buildID(of start: UInt64, read: (UInt64, Int) -> [UInt8]?) -> [UInt8]? {
    guard let header = read(start, 64), header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
    else { return nil }
    let entry = Int(header.load(at: 54, as: UInt16.self))
    let count = Int(header.load(at: 56, as: UInt16.self))
    guard entry >= 56, count <= 128, entry <= 256,
      let table = read(start &+ header.load(at: 32, as: UInt64.self), entry * count)
    else { return nil }
    let starts = (0..<count).map { $0 * entry }
    let first = starts.first { table.load(at: $0, as: UInt32.self) == ELFFile.Segment.load }
    let base = first.map { table.load(at: $0 + 16, as: UInt64.self) & ~4095 } ?? 0
    for at in starts where table.load(at: at, as: UInt32.self) == ELFFile.Segment.note {
      let address: UInt64 = start &- base &+ table.load(at: at + 16)
      let size: UInt64 = table.load(at: at + 32)
      if size <= 1 << 16, let notes = read(address, Int(size)), let id = BuildID.find(in: notes) {
        return id
      }
    }
    return nil
  }
}
