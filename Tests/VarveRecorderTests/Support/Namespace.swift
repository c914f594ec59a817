/// Programs in pid namespaces of their own, as in containers: each is process 1 there.
enum Namespace {
  /// Whether they can be made. Where they cannot, the tests say that they did not run.
  static let canBeMade = run("true", []).wait().status == 0

  /// Starts a play there.
  static func child(_ play: String, _ arguments: [String]) -> Child {
    run(Child.path, [play] + arguments)
  }

  private static func run(_ program: String, _ arguments: [String]) -> Child {
    Child(
      program: "/usr/bin/env",
      ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", program] + arguments)
  }
}
