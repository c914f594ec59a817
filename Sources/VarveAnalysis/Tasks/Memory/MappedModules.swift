internal import VarveProbe

/// A part of a file in a program's memory.
struct FileMapping {
  var addresses: Range<UInt64>
  /// Where in the file it begins.
  var offset: UInt64
  var path: String
}

/// The executables and libraries among the files in a program's memory.
struct MappedModules {
  private static let most = 4096

  private(set) var modules: [ModuleDefinition] = []
  /// The files in which a module is found here, by module number; they differ from its path if the
  /// user named another file.
  private(set) var files: [UInt32: ELFFile] = [:]

  /// Finds the modules.
  ///
  /// - Parameters:
  ///   - mappings: The files in memory.
  ///   - program: A file to use instead of the first module, or of the one with the same name.
  ///   - buildID: Returns the build ID of the module in memory whose headers are at an address; nil
  ///     if they are not there.
  init(_ mappings: [FileMapping], program: String?, buildID: (UInt64) -> [UInt8]?) {
    let byPath = Dictionary(grouping: mappings, by: \.path)
    let ordered = byPath.sorted { Self.start($0.value) < Self.start($1.value) }.prefix(Self.most)
    let name = program.map(Self.name)
    let replaced = ordered.first { Self.name($0.key) == name }?.key ?? ordered.first?.key
    for (path, parts) in ordered {
      let there = path == replaced ? program ?? path : path
      guard let elf = ELFFile(path: there), elf.type != ELFFile.core else { continue }
      let start = Self.start(parts)
      let end = parts.map(\.addresses.upperBound).max() ?? start
      guard start < end,
        let first = parts.min(by: { $0.addresses.lowerBound < $1.addresses.lowerBound }),
        let bias = Self.bias(of: elf, first)
      else { continue }
      let id = UInt32(modules.count + 1)
      modules.append(
        ModuleDefinition(
          id: id, path: there, buildID: buildID(start) ?? BuildID.ofFile(at: there) ?? [],
          bias: bias, addresses: start..<end))
      files[id] = elf
    }
  }

  private static func start(_ parts: [FileMapping]) -> UInt64 {
    parts.map(\.addresses.lowerBound).min() ?? 0
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the difference between addresses in memory and in the file.
  private static func bias(of elf: ELFFile, _ mapping: FileMapping) -> UInt64? {
    elf.segments.first {
      $0.type == ELFFile.Segment.load && $0.offset & ~4095 <= mapping.offset
        && mapping.offset < $0.offset &+ max($0.fileBytes, 1)
    }.map { mapping.addresses.lowerBound &- mapping.offset &+ $0.offset &- $0.address }
  }
}
