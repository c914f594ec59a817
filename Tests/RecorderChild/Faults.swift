import VarvePlatform

/// Ends the program by a fault of its own.
func crash(_ how: String) {
  switch how {
  case "abort", "informed", "heard": abort()
  case "trap": fatalError("on purpose")
  case "segv": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
  case "overflow": print(bottomless(1))
  case "breakpoint": strikeBreakpoint()
  case "seccomp": makeForbiddenCall()
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

/// Runs into an instruction for debuggers. Of some machines' the next one follows when a handler
/// returns.
private func strikeBreakpoint() {
  #if arch(x86_64)
    let code: [UInt8] = [0xcc, 0xc3]
  #else
    let code: [UInt8] = [0x00, 0x00, 0x20, 0xd4, 0xc0, 0x03, 0x5f, 0xd6]
  #endif
  let page = mmap(
    nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  guard let page, page != MAP_FAILED else { return }
  page.copyMemory(from: code, byteCount: code.count)
  unsafeBitCast(page, to: (@convention(c) () -> Void).self)()
}

/// Asks the system for what a filter of the program's own forbids: the system sends SIGSYS.
private func makeForbiddenCall() {
  typealias Control =
    @convention(c) (Int32, UInt, UnsafeRawPointer?, UInt, UInt) -> Int32
  guard let symbol = dlsym(nil, "prctl") else { return }
  let control = unsafeBitCast(symbol, to: Control.self)
  // Of Berkeley's packet filter: load the call's number; if it is getppid's, trap; else allow it.
  #if arch(x86_64)
    let number: UInt64 = 110
  #else
    let number: UInt64 = 173
  #endif
  let filter: [UInt64] = [
    0x0000_0000_0000_0020, number << 32 | 0x0100_0015, 0x0003_0000_0000_0006,
    0x7fff_0000_0000_0006,
  ]
  filter.withUnsafeBytes { filter in
    var program: (UInt, UnsafeRawPointer?) = (UInt(4), filter.baseAddress)
    guard control(38, 1, nil, 0, 0) == 0, control(22, 2, &program, 0, 0) == 0 else { return }
  }
  print(getppid())
}

/// The descriptor under which a process that `typeQuit` starts finds its terminal.
let terminal: Int32 = 9

/// Starts this program with a play of its own in a process that has a terminal, waits until it says
/// `ready` there, and types Ctrl-\. Prints which signal ended it, or that it lives.
func typeQuit(to play: [String]) {
  // TIOCSPTLCK and TIOCGPTN, macros that Swift does not see.
  let (unlock, numberOfTerminal): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
  let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
  var (number, isLocked): (Int32, Int32) = (0, 0)
  guard master >= 0, ioctl(master, unlock, &isLocked) == 0,
    ioctl(master, numberOfTerminal, &number) == 0
  else {
    print("no terminal")
    exit(77)
  }
  let path = "/dev/pts/\(number)"
  var words: [UnsafeMutablePointer<CChar>?] = (["RecorderChild"] + play).map { strdup($0) } + [nil]
  let child = forked()
  if child == 0 {
    setsid()
    dup2(open(path, O_RDWR), terminal)
    // A program anew: what the child of a fork may do is another test's.
    execv("/proc/self/exe", &words)
    _exit(3)
  }
  var seen = [UInt8](repeating: 0, count: 64)
  while read(master, &seen, seen.count) < 0 { usleep(1_000) }
  write(master, "\u{1c}", 1)
  var status: Int32 = 0
  for _ in 0..<10_000 where waitpid(child, &status, WNOHANG) == 0 { usleep(1_000) }
  print(kill(child, SIGKILL) == 0 ? "it lives" : "ended by \(status & 0x7f)")
}

/// Installs a handler of the program's own for SIGSEGV, as a program that mends faults has it.
func installHandler() {
  var action = sigaction()
  action.__sigaction_handler.sa_handler = { _ in
    write(STDOUT_FILENO, "mended\n", 7)
  }
  sigaction(SIGSEGV, &action, nil)
}

/// Asks for the system's own action, with a flag that means something for functions alone.
func askForSystemsAction(_ signal: Int32) {
  var action = sigaction()
  action.__sigaction_handler.sa_handler = SIG_DFL
  action.sa_flags = SA_SIGINFO
  sigaction(signal, &action, nil)
}

/// Installs a handler that says `below`.
func handleBelow(_ signal: Int32) {
  var action = sigaction()
  action.__sigaction_handler.sa_handler = { _ in
    write(STDOUT_FILENO, "below\n", 6)
  }
  sigaction(signal, &action, nil)
}

// Safety: set before the one signal that reads it is sent.
private nonisolated(unsafe) var earlier = sigaction()

/// Installs a handler that says `above` and passes the signal on to the one that was there.
func handleAbove(_ signal: Int32) {
  var action = sigaction()
  action.sa_flags = SA_SIGINFO
  action.__sigaction_handler.sa_sigaction = { signal, told, context in
    write(STDOUT_FILENO, "above\n", 6)
    earlier.__sigaction_handler.sa_sigaction(signal, told, context)
  }
  sigaction(signal, &action, &earlier)
}

/// From now on, no file may become larger than this one is.
func limitFiles(toSizeOf path: String) {
  var status = stat()
  stat(path, &status)
  limitFiles(to: "\(status.st_size)")
}

/// Lets no file grow beyond so many bytes.
func limitFiles(to bytes: String) {
  var limit = rlimit(rlim_cur: rlim_t(bytes)!, rlim_max: rlim_t.max)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

/// A value that says nothing about the one before: deflate cannot make it smaller.
func scatter(_ value: UInt64) -> UInt64 {
  var mixed = value &* 0x9e37_79b9_7f4a_7c15
  mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  return mixed ^ (mixed >> 31)
}
