internal import ArgumentParser
internal import VarveAnalysis
internal import VarvePlatform

/// The entry point of the command. Every path ends in `exit` with a status that the manual lists.
@main
enum Main {
  static func main() {
    LargeMemory.goesBack()
    Interruption.cleansUp()
    var arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try Configuration.load()
      arguments = try BareFile.asInfo(arguments)
      var command = try VarveCommand.parseAsRoot(arguments)
      try command.run()
      leave(with: .found)
    } catch let end as CommandEnd {
      StandardOutput.finish()
      if let message = end.message { Messages.error(message) }
      leave(with: end.status)
    } catch let error as SelectionError {
      Messages.error(error.message)
      if let excerpt = error.excerpt { Messages.mark(excerpt.offset, in: excerpt.text) }
      leave(with: .wrongUsage)
    } catch {
      leave(after: error, arguments)
    }
  }

  /// Ends the command after an error of the parser: a request for help, or incorrect usage.
  private static func leave(after error: any Error, _ arguments: [String]) -> Never {
    let message = VarveCommand.fullMessage(for: error)
    guard VarveCommand.exitCode(for: error) != .success else {
      let examples = message.hasPrefix("OVERVIEW") ? Examples.text(for: arguments) : ""
      StandardOutput.write(examples + message + "\n")
      leave(with: .found)
    }
    Messages.fitted(message)
    leave(with: .wrongUsage)
  }

  private static func leave(with status: ExitStatus) -> Never {
    StandardOutput.finish()
    UnfinishedFiles.removeAll()
    exit(status.rawValue)
  }
}
