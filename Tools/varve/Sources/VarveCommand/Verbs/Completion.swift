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
    StandardOutput.write(Self.completed(VarveCommand.completionScript(for: known), known) + "\n")
  }

  /// Returns a script with what the parser's own lacks: the verbs behind `varve help`, and in bash
  /// files where there is nothing else to complete, as in `varve FILE`.
  private static func completed(_ script: String, _ shell: CompletionShell) -> String {
    let verbs = VarveCommand.verbs
    switch shell {
    case .bash:
      guard let help = script.firstRange(of: "_varve_help() {"),
        let end = script[help.upperBound...].firstIndex(of: "}")
      else { return script }
      let words = "    __varve_add_completions -W '\(verbs.joined(separator: "'$'\\n''"))'\n"
      return (script[..<end] + words + script[end...]).replacing(
        "complete -o filenames -F", with: "complete -o filenames -o default -F")
    case .zsh:
      return script.replacing(
        "'*:subcommands:'", with: "'*:subcommands:(\(verbs.joined(separator: " ")))'")
    default:
      return script
        + "\ncomplete -c varve -n '__fish_seen_subcommand_from help' -f -a '"
        + verbs.joined(separator: " ") + "'"
    }
  }
}
