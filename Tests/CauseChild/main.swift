import Foundation
import Varve

// A program whose causes are known: `CauseChild PLAY FILE` records a play into a file.

let arguments = CommandLine.arguments
let plays: [String: @Sendable () -> Void] = [
  "eight schedulers": eightSchedulers, "foreign end": foreignEnd, "silence": silence,
]

guard arguments.count == 3, let play = plays[arguments[1]] else {
  print("usage: CauseChild PLAY FILE; there are \(plays.keys.sorted().joined(separator: ", "))")
  exit(2)
}
var options = Recorder.Options()
options.policy = .block
options.recordsAbsorption = true
do {
  try Recorder.start(to: arguments[2], options: options)
} catch {
  print("cannot record: \(error)")
  exit(3)
}
play()
Recorder.stop()
