#if canImport(Runtime) && os(Linux)
  internal import Runtime
  internal import VarvePlatform
  internal import VarveProbe

  /// The modules loaded into the process, in the form that the toolchain's symbolizer expects.
  ///
  /// `ImageMap.capture()` takes every mapped file for a module and reads its header in memory; if
  /// another thread has unmapped the file, the program crashes. The dynamic linker knows what is a
  /// module, and unloads none while it enumerates them.
  enum LoadedImages {
    private typealias Known = (generation: UInt64, images: ImageMap)

    private static let known = Probe.keptOverForks(Lock<Known?>(nil))

    /// Returns the modules that are currently loaded; nil if the toolchain misreads them.
    static func current() -> ImageMap? {
      // If a module is loaded in between, the generation is too old, and they are enumerated again.
      let generation = LoadedModule.generation
      if let known = known.withLock({ $0 }), known.generation == generation { return known.images }
      guard let images = ImageMap(LoadedModule.all()) else { return nil }
      known.withLock { $0 = (generation, images) }
      return images
    }
  }

  extension ImageMap {
    /// Creates a map of certain modules.
    ///
    /// There is no initializer for this either. The encoding is the toolchain's Compact Image Map:
    /// the byte 2 (its version, and 64-bit words), the platform's name, the number of modules, and
    /// for each a byte of two lengths, that many bytes of its base and of the size of its text,
    /// highest first, its build ID and its path; all of that in base 64. A map that decodes to
    /// anything else than was encoded is rejected.
    init?(_ modules: [LoadedModule]) {
      let modules = modules.compactMap(\.withFile).sorted { $0.base < $1.base }
      let platform = Array("Linux".utf8)
      var code: [UInt8] = [2]
      code.append(number: platform.count)
      code += platform
      code.append(number: modules.count)
      for module in modules { code.append(module) }
      guard let map = try? ImageMap(from: TextDecoder(Base64.text(code))),
        map.count == modules.count,
        zip(map, modules).allSatisfy({ $0.is($1) })
      else { return nil }
      self = map
    }
  }

  extension Backtrace.Image {
    fileprivate func `is`(_ module: LoadedModule) -> Bool {
      path == module.path && UInt64(baseAddress) == module.base
        && UInt64(endOfText) == module.addresses.upperBound
    }
  }

  extension LoadedModule {
    /// The module with its file's path free of symbolic links, where separate debug information is
    /// looked for; nil if it does not come from a file.
    fileprivate var withFile: LoadedModule? {
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      var module = self
      module.path = String(cString: real)
      return module
    }
  }

  extension [UInt8] {
    fileprivate mutating func append(_ module: LoadedModule) {
      // The lengths are seven and seven, which stand for eight bytes each.
      append(0x3f)
      append(word: module.base)
      append(word: module.addresses.upperBound - module.base)
      append(number: module.buildID.count)
      self += module.buildID
      // A path is written in parts of at most 63 bytes, each preceded by its length.
      var path = Array(module.path.utf8)[...]
      while !path.isEmpty {
        let part = path.prefix(63)
        append(UInt8(part.count))
        self += part
        path = path.dropFirst(part.count)
      }
      append(0)
    }

    fileprivate mutating func append(word: UInt64) {
      for shift in stride(from: 56, through: 0, by: -8) {
        append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }

    /// Appends seven bits per byte, highest first; the top bit marks that more bytes follow.
    fileprivate mutating func append(number: Int) {
      if number > 127 { append(leading: number >> 7) }
      append(UInt8(number & 127))
    }

    private mutating func append(leading number: Int) {
      if number > 127 { append(leading: number >> 7) }
      append(UInt8(number & 127) | 128)
    }
  }
#endif
