/// Stops the program when reading one input takes more memory than it may. libFuzzer's own limit
/// knows only what the whole process takes, its corpus and the sanitizer's shadow included.
enum MemoryWatch {
  /// An input has at most a mebibyte.
  static let most = 64 << 20

  // Safety: libFuzzer tries one input at a time, on one thread.
  nonisolated(unsafe) private static var isOn = false
  nonisolated(unsafe) private static var taken = 0

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

  static func begin() {
    _ = hooks
    taken = 0
    isOn = true
  }

  static func end() { isOn = false }

  private static func tell() {
    isOn = false
    stop("an input of less than a mebibyte takes more than \(most) bytes of memory")
  }
}

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
  _ taken: @convention(c) (UnsafeRawPointer?, Int) -> Void,
  _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> CInt

@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ block: UnsafeRawPointer) -> Int
