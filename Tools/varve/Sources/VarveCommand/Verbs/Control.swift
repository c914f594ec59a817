internal import ArgumentParser
internal import VarveFormat
internal import VarveRecorder

/// `varve control FILE ORDERS…`
struct Control: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Changes what a running program records.",
    discussion: """
      The orders are written as VARVE_OPTIONS is. Which streams are recorded is said anew by streams, \
      include, exclude and sample together. Each of values, preset, absorption and stacks changes \
      itself alone; private and typed add to what was private before. preset=production hides values \
      from now on, and cannot take the arguments and the host's name out of a file that is already \
      written. `snapshot` saves what is kept \
      of the recording beside the trace. The program obeys within a second or so; orders that are given \
      meanwhile wait for their turn, and none is lost.
      """)

  static let examples = [
    (command: "varve control shop.varve exclude=ticker*", meaning: "leave some streams out"),
    (command: "varve control shop.varve streams=all", meaning: "record all of them again"),
    (command: "varve control shop.varve snapshot", meaning: "write the flight recorder to a file"),
  ]

  @Argument(help: "The trace that the program records to.", completion: .file()) var file: String
  @Argument(help: ArgumentHelp("What to do.", valueName: "order")) var orders: [String]

  func run() throws {
    do {
      try TraceControl.send(orders.joined(separator: ","), toTraceAt: FileSystem.absolute(file))
    } catch let mistake as OptionMistake {
      throw CommandEnd(.wrongUsage, mistake.message)
    } catch let error as TraceFileError {
      throw CommandEnd(.wrongUsage, "\(error)")
    }
  }
}
