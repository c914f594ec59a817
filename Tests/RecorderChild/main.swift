// A program to be recorded, killed and looked at by the tests of the recorder. What it does, and
// with what, is said by its arguments.
import VarvePlatform
import VarveRecorder

let arguments = Array(CommandLine.arguments.dropFirst())
guard let name = arguments.first,
  let play = plays[name] ?? streamPlays[name] ?? forkPlays[name] ?? definitionPlays[name]
    ?? survivalPlays[name] ?? lossPlays[name] ?? namespacePlays[name]
else {
  let names =
    Array(plays.keys) + streamPlays.keys + forkPlays.keys + definitionPlays.keys
    + survivalPlays.keys + lossPlays.keys + namespacePlays.keys
  print("RecorderChild does one of: \(names.sorted().joined(separator: ", "))")
  exit(2)
}
// A test that waits for a program that hangs is to fail, not to hang as well.
alarm(patience)
play(Arguments(Array(arguments.dropFirst())))
