import Foundation
import Varve

// A program whose causes are known: `CauseChild PLAY FILE` records a play into a file; if FILE is `-`,
// as the environment says.

let arguments = CommandLine.arguments
let plays: [String: @Sendable () -> Void] = [
  "awaiting": awaiting, "busy task": busyTask, "crowd": crowd, "eight schedulers": eightSchedulers,
  "foreign end": foreignEnd, "foreign restart": foreignRestart,
  "own change": ownChange, "own delivery": ownDelivery, "ping-pong": pingPong, "rotating": rotating,
  "silence": silence,
  "started": started, "starts": starts, "turns": turns,
]

guard arguments.count == 3, let play = plays[arguments[1]] else {
  print("usage: CauseChild PLAY FILE; there are \(plays.keys.sorted().joined(separator: ", "))")
  exit(2)
}
// A test that waits for a program that hangs is to fail, not to hang as well.
alarm(480)
var options = Recorder.Options()
options.policy = .block
options.recordsAbsorption = true
options.recordsStacks = true
if arguments[1] == "rotating" { options.rotation = .init(bytes: 128 << 10) }
do {
  if arguments[2] != "-" { try Recorder.start(to: arguments[2], options: options) }
} catch {
  print("cannot record: \(error)")
  exit(3)
}
play()
Recorder.stop()
