#if canImport(Glibc)
  import CVarveSystem
  import CZlib
  import Foundation
  import Glibc
  import Testing
  import VarveReactive
  import VarveTestRig

  /// Backtraces of a program whose modules come and go.
  @Suite("Loaded modules")
  struct LoadedModuleTests {
    private typealias InflateInit =
      @convention(c) (z_streamp, CInt, UnsafePointer<CChar>, CInt) -> CInt

    /// A copy of the system's zlib that is loaded beside it: code at addresses of its own.
    private struct Plugin {
      let inflateInit: InflateInit

      init?(at file: URL) {
        guard let handle = dlopen(file.path, RTLD_NOW | RTLD_LOCAL),
          let function = dlsym(handle, "inflateInit2_")
        else { return nil }
        inflateInit = unsafeBitCast(function, to: InflateInit.self)
      }

      /// The backtrace of a function that the plugin calls.
      func callBack() -> AsyncBacktrace {
        let note = Box<[AsyncBacktrace]>([])
        var stream = z_stream()
        stream.opaque = Unmanaged.passUnretained(note).toOpaque()
        stream.zalloc = { opaque, _, _ in
          Unmanaged<Box<[AsyncBacktrace]>>.fromOpaque(opaque!).takeUnretainedValue()
            .append(AsyncBacktrace.current)
          return nil
        }
        stream.zfree = { _, _ in }
        _ = inflateInit(&stream, 15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        return note.value[0]
      }
    }

    private func fileOfZlib() throws -> URL {
      let function = try #require(dlsym(dlopen(nil, RTLD_NOW), "inflateInit2_"))
      var found = vv_symbol()
      #expect(vv_symbol_find(UInt(bitPattern: function), &found))
      let path = String(cString: try #require(found.image))
      return URL(fileURLWithPath: path).resolvingSymlinksInPath()
    }

    /// Maps a file and unmaps it, again and again, until the flag is up.
    private static func flicker(_ file: URL, until flag: Flag) {
      let descriptor = open(file.path, O_RDONLY)
      defer { close(descriptor) }
      while !flag.isRaised {
        let memory = mmap(nil, 1 << 16, PROT_READ, MAP_PRIVATE, descriptor, 0)
        if memory != MAP_FAILED { munmap(memory, 1 << 16) }
      }
    }

    @Test(
      "B2: functions get names while modules are loaded, and files like them mapped and unmapped")
    func comingAndGoing() throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("varve-modules-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let zlib = try fileOfZlib()
      func copy(_ name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.copyItem(at: zlib, to: file)
        return file
      }
      let data = try (1...3).map { try copy("data-\($0).so") }
      let plugins = try (1...40).map { try copy("plugin-\($0).so") }
      let stacks = Box<[[AsyncBacktrace.Frame]]>([])
      let isDone = Flag()
      onThreads(1 + data.count) { index in
        guard index == 0 else { return Self.flicker(data[index - 1], until: isDone) }
        defer { isDone.raise() }
        for file in plugins {
          guard let plugin = Plugin(at: file) else { return }
          stacks.append(plugin.callBack().segments[0].frames)
        }
      }
      #expect(stacks.value.count == plugins.count)
      for frames in stacks.value {
        #expect(frames.contains { $0.function == "inflateInit2_" })
        #expect(frames.contains { $0.file?.hasSuffix("LoadedModuleTests.swift") == true })
      }
    }
  }
#endif
