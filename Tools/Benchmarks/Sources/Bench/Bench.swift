import Foundation

@main
enum Bench {
  static func main() throws {
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("bench: \(error.message)\n".utf8))
      exit(2)
    }
    var report = Report()
    ReactiveTable.run(options, into: &report)
    if let json = options.json { try report.write(to: json) }
  }
}
