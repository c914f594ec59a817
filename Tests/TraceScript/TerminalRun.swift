internal import Foundation
internal import VarvePlatform

/// A run of the command at a terminal: it sees one, and what it shows is kept.
public final class TerminalRun {
  private let process = Process()
  private let master: Int32
  /// What it has shown so far, escape sequences included.
  public private(set) var output = ""
  /// The first bytes of a character, of which the others have not been read.
  private var unfinished: [UInt8] = []

  // TIOCSPTLCK and TIOCGPTN, macros that Swift does not see.
  private static let unlock: UInt = 0x4004_5431
  private static let numberOfTerminal: UInt = 0x8004_5430

  /// Starts the command at a terminal of that size.
  public init(
    _ arguments: [String], rows: UInt16 = 24, columns: UInt16 = 80,
    environment: [String: String] = [:], folder: String? = nil
  ) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (number, isLocked): (Int32, Int32) = (0, 0)
    guard master >= 0, ioctl(master, Self.unlock, &isLocked) == 0,
      ioctl(master, Self.numberOfTerminal, &number) == 0,
      let terminal = FileHandle(forUpdatingAtPath: "/dev/pts/\(number)")
    else { throw CocoaError(.fileNoSuchFile) }
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    process.executableURL = CommandRun.command
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    var variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm"]
    variables.merge(environment) { $1 }
    process.environment = variables
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    try terminal.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(master)
  }

  /// Gives the terminal another size. Who uses it is told as by a terminal's own signal.
  public func resize(rows: UInt16, columns: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    kill(process.processIdentifier, SIGWINCH)
  }

  /// Types text.
  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Waits until the terminal shows a text that it did not show before this call, and forgets what
  /// came before; false when it never does.
  public func shows(_ text: String) -> Bool { shown(before: text) != nil }

  /// Waits like ``shows(_:)``, and returns what came before that text; nil when it never comes.
  public func shown(before text: String) -> String? {
    while true {
      if let found = output.range(of: text) {
        let before = String(output[..<found.lowerBound])
        output = String(output[found.upperBound...])
        return before
      }
      guard readMore() else { return nil }
    }
  }

  /// Waits for the end, and tells the exit status.
  public func end() -> Int32 {
    while readMore() {}
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// False at the end, or when nothing comes for very long.
  private func readMore() -> Bool {
    var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 60_000) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    let bytes = unfinished + buffer.prefix(count)
    let whole = Self.wholeCharacters(bytes)
    unfinished = Array(bytes[whole...])
    output += String(decoding: bytes[..<whole], as: UTF8.self)
    return true
  }

  /// Returns the number of bytes up to the end of the last whole character.
  private static func wholeCharacters(_ bytes: [UInt8]) -> Int {
    // The first byte of a character says how many it has: as many as it begins with ones.
    guard let first = bytes.lastIndex(where: { $0 & 0xc0 != 0x80 }), bytes[first] >= 0x80 else {
      return bytes.count
    }
    let length = (~bytes[first]).leadingZeroBitCount
    return first + length > bytes.count ? first : bytes.count
  }
}
