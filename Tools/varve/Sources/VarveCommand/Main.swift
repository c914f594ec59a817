internal import ArgumentParser
internal import VarveAnalysis
internal import VarvePlatform

/// Where the command begins and ends: every way out of it leads through `exit` with a status that
/// the manual names.
@main
enum Main {
  static func main() {
    Interruption.cleansUp()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      var command = try VarveCommand.parseAsRoot(try BareFile.asInfo(arguments))
      try command.run()
      leave(with: .found)
    } catch let end as CommandEnd {
      StandardOutput.finish()
      if let message = end.message { Messages.error(message) }
      leave(with: end.status)
    } catch let error as SelectionError {
      Messages.error(error.message)
      leave(with: .wrongUsage)
    } catch {
      leave(after: error, arguments)
    }
  }

  /// What the parser threw: a request for help, or wrong usage.
  private static func leave(after error: any Error, _ arguments: [String]) -> Never {
    let message = VarveCommand.fullMessage(for: error)
    guard VarveCommand.exitCode(for: error) != .success else {
      let examples = message.hasPrefix("OVERVIEW") ? Examples.text(for: arguments) : ""
      StandardOutput.write(examples + message + "\n")
      leave(with: .found)
    }
    Messages.plain(message)
    leave(with: .wrongUsage)
  }

  private static func leave(with status: ExitStatus) -> Never {
    StandardOutput.finish()
    UnfinishedFiles.removeAll()
    exit(status.rawValue)
  }
}
