import VarveFormat
import VarvePlatform
import VarveRecorder

/// What a play is told: a path, a count, options in the environment's notation, and more of its own.
struct Arguments: Sendable {
  private let texts: [String]

  init(_ texts: [String]) { self.texts = texts }

  var path: String { texts[0] }
  var count: Int { Int(texts[1])! }

  /// Unless the text says otherwise, stacks are recorded, and nothing else that is not always.
  var options: Recorder.Options {
    do throws(OptionMistake) {
      let stacks = texts[2].isEmpty ? "no" : "yes"
      return try Recorder.Options(text: "preset=light,crashes=no,stacks=\(stacks),\(texts[2])")
    } catch {
      print(error.message)
      exit(3)
    }
  }

  subscript(index: Int) -> String { texts[index] }
}

/// Starts recording as the arguments say, or says why not and exits.
func start(_ arguments: Arguments, at path: String? = nil) {
  start(arguments.options, at: path ?? arguments.path)
}

func start(_ options: Recorder.Options, at path: String) {
  do throws(TraceFileError) {
    try Recorder.start(to: path, options: options)
  } catch {
    print("cannot record: \(error)")
    exit(3)
  }
}

/// Sends 1, 2, 3, … up to the count on stream 1.
func sendAll(_ arguments: Arguments) {
  let emitter = Emitter(stream: 1, named: "numbers")
  for value in 1...UInt64(arguments.count) { emitter.send(value) }
}
