internal import VarvePlatform

/// The terminal as a screen that is drawn anew after each key.
final class Keyboard {
  private let input: Int32
  private var before = termios()
  private var bytes: [UInt8] = []
  private var hasEntered = false

  /// - Returns: nil when there is no terminal, on either side.
  init?() {
    guard Terminal.isThere else { return nil }
    if isatty(STDIN_FILENO) == 1 {
      input = STDIN_FILENO
    } else {
      // The trace comes from standard input.
      guard let terminal = fopen("/dev/tty", "r") else { return nil }
      input = fileno(terminal)
    }
    guard tcgetattr(input, &before) == 0 else { return nil }
  }

  /// How many rows the screen has now.
  var rows: Int { max(Terminal.height ?? 24, 2) }

  /// Takes the terminal: keys come one by one, and what was on the screen waits behind.
  func enter() {
    hasEntered = true
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(input, TCSAFLUSH, &raw)
    StandardOutput.write("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// Gives it back as it was.
  func leave() {
    guard hasEntered else { return }
    hasEntered = false
    StandardOutput.write("\u{1b}[?25h\u{1b}[?1049l")
    tcsetattr(input, TCSAFLUSH, &before)
  }

  /// Draws lines from the top.
  func show(_ lines: [String]) {
    // A line that fills its row must not be followed by what clears the rest.
    StandardOutput.write("\u{1b}[H\u{1b}[K" + lines.joined(separator: "\r\n\u{1b}[K"))
  }

  /// The next key; nil when none came in time. Arrows are `.` and `,`, as is Return.
  func read(for time: Duration?) -> Character? {
    if bytes.isEmpty, !fill(within: time) { return nil }
    guard let first = bytes.first else { return "q" }
    bytes.removeFirst()
    if first == 0x1b { return arrow() }
    if first == 0x0d || first == 0x0a { return "." }
    return Character(Unicode.Scalar(first))
  }

  /// A line of text, asked for below the rest; nil when somebody thought better of it.
  func ask(_ prompt: String, below row: Int) -> String? {
    var text: [UInt8] = []
    while true {
      let shown = String(decoding: text, as: UTF8.self)
      StandardOutput.write("\u{1b}[\(row);1H\(prompt)\(shown)\u{1b}[K")
      if bytes.isEmpty, !fill(within: nil) { return nil }
      guard let byte = bytes.first else { return nil }
      bytes.removeFirst()
      switch byte {
      case 0x0d, 0x0a: return shown
      case 0x03, 0x1b:
        bytes.removeAll()
        return nil
      case 0x08, 0x7f:
        // A character may be several bytes.
        while let last = text.popLast(), last & 0xc0 == 0x80 {}
      case 0x20...0x7e, 0x80...: text.append(byte)
      default: break
      }
    }
  }

  private func arrow() -> Character? {
    guard bytes.count >= 2, bytes[0] == UInt8(ascii: "[") || bytes[0] == UInt8(ascii: "O") else {
      return nil
    }
    let letter = bytes[1]
    bytes.removeAll()
    switch letter {
    case UInt8(ascii: "A"), UInt8(ascii: "D"): return ","
    case UInt8(ascii: "B"), UInt8(ascii: "C"): return "."
    default: return nil
    }
  }

  /// Waits for keys; false when none came in time. At the end of input there are none.
  private func fill(within time: Duration?) -> Bool {
    var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    let milliseconds = time.map { duration in
      let (seconds, attoseconds) = duration.components
      return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
    let ready = poll(&wanted, 1, milliseconds ?? -1)
    // A signal, such as a new size of the window: the screen is drawn anew.
    guard ready > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = Self.read(input, &buffer)
    bytes += buffer.prefix(max(count, 0))
    return true
  }

  private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    VarvePlatform.read(descriptor, &buffer, buffer.count)
  }
}
