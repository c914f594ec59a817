import Testing
import VarveProbe

/// Whose code a function is: its own module says so, not the types that it has to do with.
@Suite("Kinds of functions")
struct FunctionKindTests {
  @Test(
    "the module of a function is the one that it was written in",
    arguments: [
      ("Shop.Search.run() -> ()", "Shop"),
      ("Shop.bind(VarveReactive.Signal<Swift.Int, Swift.Never>) -> ()", "Shop"),
      ("Shop.Search.results.getter : VarveReactive.Signal<Swift.Int, Swift.Never>", "Shop"),
      ("Shop.Box<VarveReactive.Signal<Swift.Int, Swift.Never>>.open() -> ()", "Shop"),
      ("closure #1 (VarveReactive.Event<Swift.Int, Swift.Never>) -> () in Shop.f() -> ()", "Shop"),
      (
        "closure #2 () -> VarveReactive.Signal<Swift.Int, Swift.Never> in closure #1 () -> () in "
          + "static Shop.Search.(hidden in _0123456789ABCDEF)() -> ()", "Shop"
      ),
      ("(extension in Shop):VarveReactive.Signal.pick<A>(A) -> ()", "Shop"),
      ("static (extension in Shop):VarveReactive.Signal.none() -> ()", "Shop"),
      (
        "closure #1 (A) -> () in (extension in Shop):VarveReactive.SignalProducer.pick() -> ()",
        "Shop"
      ),
      (
        "generic specialization <VarveReactive.Signal<Swift.Int, Swift.Never>> of Shop.f<A>(A) -> A",
        "Shop"
      ),
      (
        "function signature specialization <Arg[0] = Owned To Guaranteed> of generic specialization "
          + "<VarveReactive.Signal<Swift.Int, Swift.Never>> of Shop.f<A>(A) -> A", "Shop"
      ),
      (
        "partial apply forwarder for closure #1 (VarveReactive.Event) -> () in Shop.f() -> ()",
        "Shop"
      ),
      ("VarveReactive.ScheduledWork.run() -> ()", "VarveReactive"),
      (
        "closure #1 (Shop.Query) -> () in VarveReactive.Signal.map<A>((Shop.Query) -> A) -> A",
        "VarveReactive"
      ),
      ("(extension in VarveReactive):Swift.Sequence.producer() -> ()", "VarveReactive"),
      ("generic specialization <Shop.Query> of VarveReactive.Root.send(A) -> ()", "VarveReactive"),
    ])
  func module(function: String, module: String) {
    #expect(FunctionModule.name(of: function) == module)
    #expect(FunctionKind.isMachinery(function, file: nil) == (module == "VarveReactive"))
  }

  @Test("a C function's name names no module", arguments: ["main", "start_thread", "", "f(int)"])
  func none(function: String) { #expect(FunctionModule.name(of: function) == nil) }

  @Test("what is left of a name still tells whose it is")
  func short() {
    #expect(FunctionKind.isMachinery("closure #1 in VarveReactive.Signal.map(_:)", file: nil))
    #expect(!FunctionKind.isMachinery("closure #1 in Signal.map(_:)", file: nil))
    #expect(FunctionKind.isMachinery("vv_hop_begin", file: nil))
    #expect(
      FunctionKind.isMachinery("closure #1 in Task.init(name:priority:operation:)", file: nil))
    #expect(FunctionKind.isMachinery("TaskGroup.addTask(name:priority:operation:)", file: nil))
    for kind in ["Checked", "CheckedThrowing", "Unsafe", "UnsafeThrowing"] {
      let function = "with\(kind)Continuation(isolation:_:)"
      #expect(FunctionKind.isMachinery(function, file: nil))
    }
    #expect(!FunctionKind.isMachinery("closure #1 in TaskList.init(name:)", file: nil))
    #expect(!FunctionKind.isMachinery("Task.init(name:)", file: "Shop.swift"))
  }

  @Test("where the file is known, it decides")
  func file() {
    let own = "/src/varve/Sources/VarveReactive/Engine/Root.swift"
    #expect(FunctionKind.isMachinery("Root.send(_:)", file: own))
    #expect(FunctionKind.isMachinery("Root.send(_:)", file: "Sources/VarveReactive/Root.swift"))
    #expect(FunctionKind.isMachinery("f()", file: "<compiler-generated>"))
    // A folder may be called after the library that lies in it.
    #expect(!FunctionKind.isMachinery("f()", file: "/src/VarveReactive/Sources/Shop/f.swift"))
    #expect(!FunctionKind.isMachinery("VarveReactive.f()", file: "/src/Shop/f.swift"))
  }

  @Test(
    "where programs end that break a rule is the language's runtime",
    arguments: [
      "_assertionFailure(_:_:file:line:flags:)",
      "closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)",
      "Swift.withUnsafeMutablePointer<A, B>(to: inout A, _: (Swift.UnsafeMutablePointer<A>) -> B) -> B",
      "generic specialization <Shop.Query> of Swift.Array.append(__owned A) -> ()",
      "swift_deallocClassInstance", "thunk for @escaping () -> ()",
      "protocol witness for VarveReactive.Scheduler.schedule(_:) in conformance Shop.Own",
    ])
  func runtime(function: String) { #expect(FunctionKind.isMachinery(function, file: nil)) }

  @Test("modules that only run others' work, and the language's own, are told by their files")
  func images() {
    #expect(FunctionKind.isOfMachinery(image: "/usr/lib/swift/linux/libswiftCore.so"))
    #expect(FunctionKind.isOfMachinery(image: "/lib/x86_64-linux-gnu/libc.so.6"))
    #expect(!FunctionKind.isOfMachinery(image: "/usr/bin/shop"))
    #expect(!FunctionKind.isOfMachinery(image: "/usr/lib/libcurl.so.4"))
  }
}
