import Foundation

@main
enum Bench {
  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.contains("--help") || arguments.contains("-h") { return print(Options.usage) }
      if arguments.count == 3, arguments[0] == InstructionCount.flag, let events = Int(arguments[2])
      {
        exit(InstructionCount.run(arguments[1], events: events) ? 0 : 2)
      }
      let options = try Options(arguments)
      var report = Report()
      try ReactiveTable.run(options, into: &report)
      GrowthTable.run(options, into: &report)
      try RecorderTable.run(options, into: &report)
      try EntryTable.run(options, into: &report)
      try EncodingTable.run(options, into: &report)
      try ReaderTable.run(options, into: &report)
      try PeersTable.run(options, into: &report)
      HopTable.run(options, into: &report)
      try CompileTable.run(options, into: &report)
      try ClientTable.run(options, into: &report)
      try CommandTable.run(options, into: &report)
      try ViewerTable.run(options, into: &report)
      try TaskTable.run(options, into: &report)
      if let json = options.json { try report.write(to: json) }
    } catch let mistake as Options.Mistake {
      stop(mistake.message, status: 2)
    } catch {
      stop("\(error)", status: 1)
    }
  }

  private static func stop(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("bench: \(message)\n".utf8))
    exit(status)
  }
}
