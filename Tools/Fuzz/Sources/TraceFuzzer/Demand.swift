#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Stops the program with a sentence, unless something holds. A release build's preconditions do not
/// say what they are about.
func demand(_ holds: Bool, _ otherwise: @autoclosure () -> String) {
  guard !holds else { return }
  stop(otherwise())
}

func stop(_ why: String) -> Never {
  print(why)
  fflush(nil)
  abort()
}
