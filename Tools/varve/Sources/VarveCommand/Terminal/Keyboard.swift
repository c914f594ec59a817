internal import VarvePlatform

/// Input from the terminal, on a screen that is redrawn after each key.
final class Keyboard {
  private let input: Int32
  private var before = termios()
  private var bytes: [UInt8] = []
  private var hasEntered = false
  /// How often the size is looked at, in milliseconds.
  private static let period: Int32 = 200
  /// The size of the terminal that the screen was last drawn for.
  private var drawnSize = Keyboard.size
  /// Whether the last wait for a key was ended by a new size of the terminal.
  private(set) var wasInterrupted = false

  /// - Returns: nil if standard output is not a terminal, or no terminal can be read.
  init?() {
    guard Terminal.isThere else { return nil }
    if isatty(STDIN_FILENO) == 1 {
      input = STDIN_FILENO
    } else {
      // Standard input is the trace.
      guard let terminal = fopen("/dev/tty", "r") else { return nil }
      input = fileno(terminal)
    }
    guard tcgetattr(input, &before) == 0 else { return nil }
  }

  /// The current number of rows on the screen.
  var rows: Int { max(Terminal.height ?? 24, 2) }

  /// Takes over the terminal: keys arrive one by one, and the alternate screen is shown.
  func enter() {
    hasEntered = true
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(input, TCSAFLUSH, &raw)
    StandardOutput.write("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// Restores the terminal.
  func leave() {
    guard hasEntered else { return }
    hasEntered = false
    StandardOutput.write("\u{1b}[?25h\u{1b}[?1049l")
    tcsetattr(input, TCSAFLUSH, &before)
  }

  /// Lets the shell have the terminal, as Control-Z asks, until it gives it back.
  func suspend() {
    leave()
    kill(getpid(), SIGTSTP)
    enter()
  }

  /// Draws lines from the top; `lines` returns those for the given number of rows.
  func show(_ lines: (_ rows: Int) -> [String]) {
    // The size is noted before the lines are laid out: a new one that comes while they are, or
    // before the wait for the next key, is then noticed by that wait.
    drawnSize = Self.size
    // After a line that fills its row, clearing the rest would erase its last character.
    StandardOutput.write("\u{1b}[H\u{1b}[K" + lines(rows).joined(separator: "\r\n\u{1b}[K"))
  }

  private static var size: [Int?] { [Terminal.width, Terminal.height] }

  /// Returns the next key; nil on timeout.
  ///
  /// Arrow keys become `.` or `,`, Return becomes `.`, and the end of input becomes `q`.
  func read(for time: Duration?) -> Character? {
    if bytes.isEmpty, !fill(within: time) { return nil }
    guard let first = bytes.first else { return "q" }
    bytes.removeFirst()
    if first == 0x1b { return arrow() }
    if first == 0x0d || first == 0x0a { return "." }
    return Character(Unicode.Scalar(first))
  }

  /// Whether a key was pressed that has not been read.
  var hasKey: Bool {
    var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return !bytes.isEmpty || poll(&wanted, 1, 0) > 0
  }

  /// Prompts for a line of text in a row; nil if the user cancels.
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
        // A character may take several bytes.
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

  /// Waits for keys; false on timeout. Returns true without keys at the end of input.
  private func fill(within time: Duration?) -> Bool {
    var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    let milliseconds = time.map { duration in
      let (seconds, attoseconds) = duration.components
      return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
    wasInterrupted = false
    var left = milliseconds ?? -1
    while true {
      // A signal of a new size could come just before the wait: the size itself is looked at.
      let slice = left < 0 ? Self.period : min(left, Self.period)
      if poll(&wanted, 1, slice) > 0 { break }
      wasInterrupted = drawnSize != Self.size
      if left >= 0 { left -= slice }
      if wasInterrupted || left == 0 { return false }
    }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = Self.read(input, &buffer)
    bytes += buffer.prefix(max(count, 0))
    return true
  }

  private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    VarvePlatform.read(descriptor, &buffer, buffer.count)
  }
}
