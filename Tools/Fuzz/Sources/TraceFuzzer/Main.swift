#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// libFuzzer, at work. It is linked without a `main` of its own, since the library is built without
/// the compiler's own way of fuzzing: that notes every comparison, which takes a third of the time
/// and finds nothing that a mutator does not which knows the format.
@main enum Main {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    // Within a closure: as a pointer, the function would be defined in this file, too.
    exit(runFuzzer(&count, &arguments) { testOneInput($0, $1) })
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt
