internal import ArgumentParser

/// `varve completion`
struct Completion: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "The script by which a shell completes verbs, options, and names of streams.")

  static let examples = [
    (command: "source <(varve completion bash)", meaning: "in ~/.bashrc"),
    (command: "varve completion zsh > ~/.zfunc/_varve", meaning: "a folder of zsh's fpath"),
    (
      command: "varve completion fish > ~/.config/fish/completions/varve.fish",
      meaning: "where fish looks for it"
    ),
  ]

  @Argument(help: "The shell: bash, zsh or fish.", completion: .list(["bash", "zsh", "fish"]))
  var shell: String

  func run() throws {
    guard let known = CompletionShell(rawValue: shell) else {
      throw CommandEnd(
        .wrongUsage, "there is no completion for \"\(shell)\": it is for bash, zsh and fish")
    }
    StandardOutput.write(CompletionScript.text(for: known) + "\n")
  }
}
