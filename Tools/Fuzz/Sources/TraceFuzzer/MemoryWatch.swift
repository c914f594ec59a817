/// Stops the program when reading one input takes more memory than it may. libFuzzer's own limit
/// knows only what the whole process takes, its corpus and the sanitizer's shadow included.
enum MemoryWatch {
  /// What an input may take, whatever its size, and for each of its bytes: 64 MiB for one of a
  /// mebibyte.
  private static let base = 32 << 20
  private static let each = 32

  // Safety: libFuzzer tries one input at a time, on one thread.
  nonisolated(unsafe) private static var isOn = false
  nonisolated(unsafe) private static var taken = 0
  nonisolated(unsafe) private static var most = 0

  private static let hooks: Void = {
    let isInstalled = installHooks(
      { _, size in
        guard MemoryWatch.isOn else { return }
        MemoryWatch.taken += size
        if MemoryWatch.taken > MemoryWatch.most { MemoryWatch.tell() }
      },
      { block in
        guard MemoryWatch.isOn, let block else { return }
        MemoryWatch.taken -= allocatedSize(block)
      })
    demand(isInstalled != 0, "the sanitizer does not say what is allocated")
  }()

  static func begin(inputOf count: Int) {
    _ = hooks
    most = base + each * count
    taken = 0
    isOn = true
  }

  static func end() { isOn = false }

  private static func tell() {
    isOn = false
    stop("the input takes more than \(most) bytes of memory")
  }
}

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
  _ taken: @convention(c) (UnsafeRawPointer?, Int) -> Void,
  _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> CInt

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ block: UnsafeRawPointer) -> Int
