import Glibc

/// Ends the program by a fault of its own.
func crash(_ how: String) {
  switch how {
  case "abort": abort()
  case "trap": fatalError("on purpose")
  case "segv": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
  case "overflow": print(bottomless(1))
  case "handled":
    // The program lives on after its own handler has mended the fault.
    kill(getpid(), SIGSEGV)
  default: print("no fault is called \(how)")
  }
}

@inline(never)
private func bottomless(_ depth: Int) -> Int {
  withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { room in
    room.initialize(repeating: depth)
    return bottomless(depth + 1) + room[depth % 512]
  }
}

/// Installs a handler of the program's own for SIGSEGV, as a program that mends faults has it.
func installHandler() {
  var action = sigaction()
  action.__sigaction_handler.sa_handler = { _ in
    write(STDOUT_FILENO, "mended\n", 7)
  }
  sigaction(SIGSEGV, &action, nil)
}

/// A value that says nothing about the one before: deflate cannot make it smaller.
func scatter(_ value: UInt64) -> UInt64 {
  var mixed = value &* 0x9e37_79b9_7f4a_7c15
  mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  return mixed ^ (mixed >> 31)
}
