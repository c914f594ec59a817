import Foundation

@main
enum Bench {
  static func main() {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      var report = Report()
      ReactiveTable.run(options, into: &report)
      try RecorderTable.run(options, into: &report)
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
