internal import VarveFormat
internal import VarvePlatform

/// Starts recording when the environment asks for it, before `main`. Called from C (`start.c`).
///
/// When that cannot be, the program is told in one line on standard error and goes on.
@_cdecl("varve_recorder_start_from_environment")
package func startFromEnvironment() {
  guard let path = getenv("VARVE_TRACE").map({ String(cString: $0) }), !path.isEmpty else { return }
  let text = getenv("VARVE_OPTIONS").map { String(cString: $0) } ?? ""
  let options: Recorder.Options
  do throws(OptionMistake) {
    options = try Recorder.Options(text: text)
  } catch {
    Complaint.tell("not recording; VARVE_OPTIONS: \(error.message)")
    return
  }
  do throws(TraceFileError) {
    try Recorder.start(to: besideEarlierImage(path), options: options)
  } catch {
    Complaint.tell("not recording: \(error)")
  }
}

/// Where to record: what the environment says, or a name beside it when this process has recorded
/// there before it ran another program in its own place, whose environment is the same.
private func besideEarlierImage(_ template: String) -> String {
  let path = TracePath.resolve(template)
  guard let writer = try? Sidecar.writer(ofTraceAt: path), writer.isEarlierImage else {
    return template
  }
  let other = TracePath.unused(template, "exec-", from: 1)
  Complaint.tell(
    "\(path) holds what this process recorded before it ran another program in its own place; "
      + "recording to \(TracePath.resolve(other))")
  return other
}

/// What the recorder says to people when there is nobody to throw an error to.
enum Complaint {
  /// Writes one line to standard error.
  static func tell(_ message: String) {
    var line = "varve: \(message.split(separator: "\n").joined(separator: " "))\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
