import Testing
import VarveTraceScript

@Suite("What shells complete")
struct CompletionTests {
  private let folder = TemporaryFolder()

  @Test(
    "scripts are written for three shells, and ask the command for names",
    arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) throws {
    let run = try CommandRun(["--generate-completion-script", shell])
    #expect(run.status == 0)
    #expect(run.output.contains("---completion"))
    #expect(run.output.contains("why-silent"))
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
