internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarvePlatform

extension View {
  /// Serves the page until the user ends it.
  func serve() throws {
    let chosen = try selection.selection()
    let files = try RotatedRecording.whole(files)
    let trace = try OpenedTrace(files, output, meetsDamage: true)
    // The page shows how far an answer is.
    trace.reader.watch(nil)
    let make = symbols.maker
    let compared = try compared()
    compared?.reader.watch(nil)
    let start = place ?? fragment(chosen, trace.reader)
    // Blocked before there are threads, so that none of them is struck: the signals are waited for.
    let signals = Self.endingSignals()
    let session = ViewerSession(
      trace.reader, files: files, symbols: make, grows: files.count == 1,
      against: compared)
    let server = try ViewerServer(session, port: port)
    defer { server.stop() }
    server.beginCounting()
    let address = server.access.address + Self.asFragment(start)
    StandardOutput.write(address + "\n")
    if !output.isQuiet { Messages.plain(hint(server.access)) }
    let page = staysClosed ? nil : try redirect(to: address)
    if let page { Browser.open(FileSystem.absolute(page)) }
    ViewerServer.wait(for: signals)
    if let page { UnfinishedFiles.remove(page) }
  }

  private static func asFragment(_ place: String) -> String {
    place.isEmpty || place.hasPrefix("#") ? place : "#" + place
  }

  /// Where the page begins if names, a period or a condition were chosen.
  private func fragment(_ chosen: Selection, _ reader: TraceReader) -> String {
    let names = selection.names.joined(separator: " ")
    var parts = names.isEmpty ? [] : ["q=" + Browser.escaped(names)]
    if let condition = selection.condition { parts.append("s=" + Browser.escaped("?" + condition)) }
    if chosen.since != nil || chosen.until != nil,
      let ticks = (try? EventFilter(chosen.times, in: reader))?.ticks,
      let first = TraceSpan(of: reader).ticks?.lowerBound
    {
      parts.append("t=\(ticks.lowerBound - first)..\(ticks.upperBound - first)")
    }
    return parts.joined(separator: "&")
  }

  private func hint(_ access: ViewerAccess) -> String {
    guard let connection = Environment["SSH_CONNECTION"] else { return "Control-C ends it" }
    let words = connection.split(separator: " ")
    let host = words.count > 2 ? String(words[2]) : "HOST"
    return """
      from the machine that you sit at: ssh -L \(access.port):127.0.0.1:\(access.port) \(host), then open \
      the address there; Control-C ends it
      """
  }

  /// Writes a page that leads to the server, which only this user may read: the list of processes
  /// shows everybody what the browser was told to open.
  private func redirect(to address: String) throws(CommandEnd) -> String? {
    guard Browser.isThere else { return nil }
    let (path, file) = try OutputFile.temporary(suffix: ".html")
    UnfinishedFiles.add(path)
    let address = address.map { character in
      switch character {
      case "&": "&amp;"
      case "\"": "&quot;"
      case "<": "&lt;"
      default: String(character)
      }
    }.joined()
    file.write(
      """
      <!doctype html>
      <meta charset="utf-8">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>varve view</title>

      """)
    try StandardOutput.close(file)
    return path
  }

  private static func endingSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return signals
  }
}
