import Dispatch
import SearchDemo
import Varve

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The keys that are hit at the terminal, one by one, until ^C, ^D or the end of the input.
enum TerminalKeyboard {
  static var keys: SignalProducer<Key, Never> {
    SignalProducer { observer, lifetime in
      DispatchQueue(label: "keyboard").async {
        let before = becomeRaw()
        defer { restore(before) }
        while !lifetime.hasEnded, let byte = nextByte(), byte != 3, byte != 4 {
          if let key = key(for: byte) { observer.send(value: key) }
        }
        observer.sendCompleted()
      }
    }
  }

  private static func key(for byte: UInt8) -> Key? {
    switch byte {
    case 8, 127: .backspace
    case 21, 27: .clear
    case UInt8(ascii: " ")...UInt8(ascii: "~"): .character(Character(UnicodeScalar(byte)))
    default: nil
    }
  }

  private static func nextByte() -> UInt8? {
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }

  /// Every key at once and unechoed; nil where there is no terminal.
  private static func becomeRaw() -> termios? {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    return before
  }

  private static func restore(_ before: termios?) {
    guard var before else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
  }
}
