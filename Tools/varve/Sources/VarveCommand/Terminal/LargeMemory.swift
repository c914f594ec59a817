internal import VarvePlatform

/// How the C library keeps memory that was given back.
enum LargeMemory {
  private typealias Adjustment = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32

  /// The parameter for the size from which memory is mapped by itself: `M_MMAP_THRESHOLD`.
  private static let threshold: Int32 = -3
  /// That size, in bytes.
  private static let least: Int32 = 1 << 16

  /// Lets the columns of a block go back to the system when the block is done.
  ///
  /// By itself, the library of GNU learns from the first large piece that is given back to keep such
  /// pieces, and blocks of different sizes then leave gaps: up to two megabytes of a long trace. Other
  /// libraries have no such function. Its header is not among those that Swift imports.
  static func goesBack() {
    guard let found = dlsym(nil, "mallopt") else { return }
    _ = unsafeBitCast(found, to: Adjustment.self)(threshold, least)
  }
}
