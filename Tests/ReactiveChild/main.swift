// A program that does what stops programs, for tests that read what it says. What it does is said by
// its argument; it prints the lines at which the mistake is made.
import VarvePlatform
import VarveReactive

// A test that waits for a program that hangs is to fail, not to hang as well.
alarm(480)
let name = CommandLine.arguments.dropFirst().first ?? ""
guard let play = plays[name] else {
  print("ReactiveChild does one of: \(plays.keys.sorted().joined(separator: ", "))")
  throw UnknownPlay()
}
play()
print("came to the end")

struct UnknownPlay: Error {}
