import Dispatch
import Foundation
import Varve

// A program for tests: `HopsChild keep` checks that work is run as Dispatch promises, and says what
// broke; `HopsChild follow` prints what backtraces show of work that the library knows nothing of;
// `HopsChild crash` and `HopsChild hang` end in the midst of work, `HopsChild unbegun` before any task runs.

// A test that waits for a program that hangs is to fail, not to hang as well.
alarm(480)
switch CommandLine.arguments.dropFirst().first {
case "keep": exit(Promises.check() ? 0 : 1)
case "follow":
  AsyncBacktrace.isCapturing = true
  Ways.printAll()
case "crash": Endings.run { Endings.fail() }
case "fatal": Endings.run { Endings.giveUp() }
case "overflow": Endings.run { print(Endings.descend(0)) }
case "kill": Endings.run { Endings.die() }
case "hang": Endings.run { Endings.hang() }
case "unbegun":
  Task { @MainActor in print("begun") }  // the unbegun one
  exit(0)
default: exit(2)
}
