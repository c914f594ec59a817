import DemoCases

/// What the demo was asked to do.
struct Options {
  /// The folders whose text files are searched.
  var folders: [String] = []
  /// Another number makes another typist and other words.
  var seed: UInt64 = 1
  /// Whether keys come from the terminal instead of the script.
  var interactive = false
  /// The keystroke at which the program traps.
  var crashAfter: Int?
  /// The program with a mistake to run instead.
  var mistake: Case?
  /// Where to record the script in virtual time, in no time.
  var virtual: String?

  static let usage = """
    Usage: SearchDemoCommand [--folder FOLDER]… [--seed N] [--interactive] [--crash-after KEYS]
                             [--virtual FILE] [--case NAME]

    Searches the text files of FOLDER (default: Sources and Docs) for what a script types.
      --interactive       for what you type; ⎋ empties the line, ^D ends
      --crash-after KEYS  traps at that keystroke
      --case NAME         runs a program with a mistake that the command finds: one of
                          stale, silent, leak, slow, twice, hang, thread, crash
      --virtual FILE      records the script into FILE on a virtual clock, in no time
    """

  /// A mistake on the command line.
  struct Mistake: Error {
    var message: String
  }

  init(_ arguments: [String]) throws(Mistake) {
    var rest = arguments[...]
    while let flag = rest.popFirst() {
      switch flag {
      case "--interactive": interactive = true
      case "--folder": folders.append(try Self.value(of: flag, in: &rest))
      case "--seed": seed = try Self.number(of: flag, in: &rest)
      case "--crash-after": crashAfter = try Self.number(of: flag, in: &rest)
      case "--case": mistake = try Self.mistake(Self.value(of: flag, in: &rest))
      case "--virtual": virtual = try Self.value(of: flag, in: &rest)
      case "--help", "-h": throw Mistake(message: Self.usage)
      default: throw Mistake(message: "unknown option \(flag)\n\n\(Self.usage)")
      }
    }
    if folders.isEmpty { folders = ["Sources", "Docs"] }
  }

  private static func value(
    of flag: String, in rest: inout ArraySlice<String>
  ) throws(Mistake) -> String {
    guard let value = rest.popFirst() else { throw Mistake(message: "\(flag) needs a value") }
    return value
  }

  private static func mistake(_ name: String) throws(Mistake) -> Case {
    guard let found = Case(rawValue: name) else {
      let all = Case.allCases.map(\.rawValue).joined(separator: ", ")
      throw Mistake(message: "there is no case \(name); there are \(all)")
    }
    return found
  }

  private static func number<Number: FixedWidthInteger>(
    of flag: String, in rest: inout ArraySlice<String>
  ) throws(Mistake) -> Number {
    guard let number = Number(try value(of: flag, in: &rest)), number >= 0 else {
      throw Mistake(message: "\(flag) needs a number")
    }
    return number
  }
}
