import Foundation
import Testing
import VarveTraceScript

@Suite("What shells complete")
struct CompletionTests {
  private let folder = TemporaryFolder()

  @Test(
    "scripts are written for three shells, and ask the command for names",
    arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) throws {
    let run = try CommandRun(["completion", shell])
    #expect(run.status == 0)
    #expect(run.output.contains("---completion"))
    #expect(run.output.contains("why-silent"))
  }

  /// What bash offers for the last of some words.
  private func offered(_ words: [String]) throws -> [String] {
    let script = """
      source <("\(CommandRun.command.path)" completion bash)
      cd "\(folder.path)"
      varve() { "\(CommandRun.command.path)" "$@"; }
      COMP_WORDS=("$@"); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _varve varve "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = try CommandRun(["-c", script, "bash"] + words, program: "/bin/bash")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes verbs, files, formats and the names in them")
  func bash() throws {
    try SearchTrace().script.write(to: folder.file("shop.varve"))
    #expect(try offered(["varve", "why-"]) == ["why-silent"])
    #expect(try offered(["varve", "help", "repl"]) == ["replay"])
    #expect(try offered(["varve", "manual", "repl"]) == ["replay"])
    for verb in ["replay", "info", "why", "why-silent", "tasks", "query", "verify", "merge"] {
      #expect(try offered(["varve", verb, "sh"]) == ["shop.varve"], "\(verb)")
    }
    #expect(try offered(["varve", "why", "shop.varve", "key"]) == ["keystrokes"])
    #expect(try offered(["varve", "info", "shop.varve", "--thread", "ma"]) == ["main"])
    #expect(try offered(["varve", "export", "shop.varve", "--format", "spe"]) == ["speedscope"])
    // A file without a verb is as one with.
    #expect(try offered(["varve", "shop.varve", "-n", "key"]) == ["keystrokes"])
    #expect(try offered(["varve", "shop.varve", "--thr"]) == ["--threads", "--thread"])
    #expect(try offered(["varve", "shop.varve", "-n", "x", "--fie"]) == ["--fields"])
    // Lists are completed word by word.
    #expect(try offered(["varve", "shop.varve", "-k", "value,fai"]) == ["value,failed"])
    #expect(try offered(["varve", "replay", "--fields", "+ca"]) == ["+cause"])
    #expect(try offered(["varve", "replay", "--fields", ""]).contains("operator"))
    #expect(try offered(["varve", "run", "--options", "reads=no,sen"]) == ["reads=no,senders=no"])
    // Where it has nothing to offer, the shell completes files.
    #expect(try CommandRun(["completion", "bash"]).output.contains("-o default -F _varve varve"))
  }

  /// What fish offers for the end of a line, each behind its description.
  private func offeredByFish(_ line: String) throws -> [String] {
    let script = """
      source ("$argv[1]" completion fish | psub)
      set PATH (dirname "$argv[1]") $PATH
      complete -C "$argv[2]"
      """
    let run = try CommandRun(
      ["fish", "--no-config", "-c", script, CommandRun.command.path, line], program: "/usr/bin/env")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test("fish is not told to show an option's help behind each of its values")
  func fishScript() throws {
    let script = try CommandRun(["completion", "fish"]).output
    #expect(script.contains(#"-rfka 'text\t ndjson\t json\t csv\t'"#))
    #expect(script.contains(#"command $tokens[1] $argv $tokens | string replace -r '$' '\t'"#))
  }

  @Test(
    "fish shows help behind options, and none behind values",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"),
      "not run: there is no fish"))
  func fish() throws {
    #expect(
      try Set(offeredByFish("varve streams shop.varve --format "))
        == ["csv", "json", "ndjson", "text"])
    #expect(try offeredByFish("varve streams --forma").allSatisfy { $0.contains("\t") })
    #expect(try offeredByFish("varve why-s").first?.hasPrefix("why-silent\t") == true)
  }

  @Test("names of threads come out of the trace, and kinds are those that there are")
  func otherNames() throws {
    let trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace)
    #expect(try offered(["varve", "replay", "-k", "inter"]) == ["interrupted"])
    let run = try CommandRun([
      "---completion", "replay", "--", "--thread", "4", "1", "varve", "replay", trace, "--thread",
      "",
    ])
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").contains("main"), "\(run.output)")
  }

  @Test("another shell is told which ones there are")
  func otherShell() throws {
    let run = try CommandRun(["completion", "tcsh"])
    #expect(run.status == 2)
    #expect(run.errors.contains("bash, zsh and fish"))
  }

  @Test(
    "names that other tools have for verbs lead to the verb",
    arguments: [
      (["stats"], ["streams"]), (["graph"], ["streams", "--tree"]), (["marbles"], ["timeline"]),
      (["show"], ["info"]),
    ])
  func verbsOfOthers(typed: [String], meant: [String]) throws {
    let trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace)
    let run = try CommandRun(typed + [trace])
    #expect(run.status == 0)
    #expect(run.output == (try CommandRun(meant + [trace])).output)
    // So does help for them, with that verb's own examples.
    #expect(try CommandRun(["help"] + typed).output == CommandRun(["help", meant[0]]).output)
  }

  @Test("help for a verb that is none suggests one, and ends with 2")
  func helpForNone() throws {
    let run = try CommandRun(["help", "replya"])
    #expect(run.status == 2)
    #expect(run.errors.contains("replay"))
    #expect(try CommandRun(["help", "replay"]).status == 0)
  }

  @Test("a file with flags that select events is replayed", arguments: ["-n", "--name"])
  func selected(flag: String) throws {
    let trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace)
    let run = try CommandRun([trace, flag, "keystrokes"])
    #expect(run.status == 0)
    #expect(run.output == (try CommandRun(["replay", trace, "-n", "keystrokes"])).output)
    let joined = try CommandRun([trace, "--name=keystrokes"])
    #expect(joined.output == run.output)
  }

  @Test("all pages of the manual are written into a folder, and replace older ones")
  func manual() throws {
    for _ in 0..<2 {
      #expect(try CommandRun(["manual", "--into", folder.path]).status == 0)
    }
    for page in ["varve", "varve-replay", "varve-why-silent"] {
      let text = try String(contentsOfFile: folder.file(page + ".1"), encoding: .utf8)
      #expect(text.hasPrefix(".TH"))
    }
    #expect(try CommandRun(["manual", "--into", folder.file("none/none")]).status != 0)
  }

  @Test("names of streams come out of the trace that the line names")
  func names() throws {
    let trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace)
    let run = try CommandRun([
      "---completion", "replay", "--", "-n", "4", "1", "varve", "replay", trace, "-n", "k",
    ])
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").contains("keystrokes"))
    #expect(!run.output.contains("results"))
  }
}
