#if canImport(Runtime) && os(Linux)
  internal import Runtime
  internal import VarvePlatform
  internal import VarveProbe

  /// What is loaded into the process, as the toolchain's symboliser wants to have it.
  ///
  /// `ImageMap.capture()` takes every file that is mapped for a module and reads its head in
  /// memory, where it has gone when another thread has unmapped it: then the program crashes. The
  /// dynamic linker knows what is a module, and lets none go while it tells.
  enum LoadedImages {
    private typealias Known = (generation: UInt64, images: ImageMap)

    private static let known = Probe.keptOverForks(Lock<Known?>(nil))

    /// The modules of now. Nil when the toolchain takes them for something else than they are.
    static func current() -> ImageMap? {
      // Should a module come in between, the number is too old, and they are asked for again.
      let generation = LoadedModule.generation
      if let known = known.withLock({ $0 }), known.generation == generation { return known.images }
      guard let images = ImageMap(LoadedModule.all()) else { return nil }
      known.withLock { $0 = (generation, images) }
      return images
    }
  }

  extension ImageMap {
    /// A map of certain modules.
    ///
    /// There is no initialiser for that either. Its code is the toolchain's Compact Image Map: the
    /// byte 2 (its version, and words of 64 bits), the platform's name, the number of modules, and
    /// for each a byte of two lengths, so many bytes of its base and of its text's size, highest
    /// first, its build id and its path; all that in base 64. A map is not taken if it turns out
    /// otherwise than written.
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
    /// The module with its file's path as it is without links, where separate debug information is
    /// looked for; nil for what comes from no file.
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
      // Seven and seven: eight bytes each.
      append(0x3f)
      append(word: module.base)
      append(word: module.addresses.upperBound - module.base)
      append(number: module.buildID.count)
      self += module.buildID
      // A path is written in parts of at most 63 bytes, each after its length.
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

    /// Seven bits a byte, highest first; the top bit says that more follow.
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
