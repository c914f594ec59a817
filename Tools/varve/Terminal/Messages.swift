#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What is said on standard error.
enum Messages {
  /// Something that went wrong, and what to try.
  static func error(_ text: String) { plain("varve: \(text)") }

  /// Something that the reader of the output should know.
  static func warning(_ text: String) { plain("varve: warning: \(text)") }

  /// A line as it is, but for control characters: it may quote a file's name.
  static func plain(_ text: String) {
    let line =
      text.unicodeScalars.map { scalar in
        scalar == "\n" || scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value)
          ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }.joined() + "\n"
    _ = Descriptor.write(Array(line.utf8), to: STDERR_FILENO)
  }
}
