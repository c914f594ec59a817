import Foundation
import Testing
import VarveTraceScript

@Suite("The configuration file")
struct ConfigurationTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace)
  }

  private func run(
    _ arguments: [String], _ text: String, environment: [String: String] = [:]
  ) throws -> CommandRun {
    let file = folder.file("config")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    var variables = environment
    variables["VARVE_CONFIG"] = file
    return try CommandRun(arguments, environment: variables)
  }

  @Test("sets defaults, which the command line overrides")
  func defaults() throws {
    let replay = ["replay", trace, "--head", "1"]
    let usual = try CommandRun(replay).output
    let ticks = try CommandRun(replay + ["--time", "ticks"]).output
    #expect(usual != ticks)
    let text = "# times\n\n  time = ticks\n"
    #expect(try run(replay, text).output == ticks)
    #expect(try run(replay + ["--time", "elapsed"], text).output == usual)
    let coloured = try run(replay, "color = always").output
    #expect(coloured.contains("\u{1b}["))
    #expect(try !run(replay + ["--color", "never"], "color = always").output.contains("\u{1b}["))
    #expect(try run(["timeline", trace], "ascii = yes\n").output.contains("o value"))
  }

  @Test("the environment goes before it, and varve config tells what holds")
  func environment() throws {
    let replay = ["replay", trace, "--head", "1"]
    for (name, text, isColoured) in [("NO_COLOR", "always", false), ("FORCE_COLOR", "never", true)]
    {
      let variables = [name: "1"]
      let run = try run(replay, "color = \(text)", environment: variables)
      #expect(run.output.contains("\u{1b}[") == isColoured, "\(name)")
      let told = try self.run(
        ["config", "--format", "ndjson"], "color = \(text)", environment: variables)
      let value = isColoured ? "always" : "never"
      #expect(told.output.contains(#""option":"color","value":"\#(value)","from":"$\#(name)""#))
    }
  }

  @Test("varve config shows each option, and where it comes from")
  func listed() throws {
    let output = try run(["config"], "\ntime = wall\n", environment: ["PAGER": "most"]).output
    let lines = output.split(separator: "\n")
    let file = folder.file("config")
    #expect(
      lines.contains { $0.hasPrefix("time ") && $0.contains("wall") && $0.contains("\(file):2") })
    #expect(
      lines.contains { $0.hasPrefix("pager ") && $0.contains("most") && $0.contains("$PAGER") })
    #expect(
      lines.contains { $0.hasPrefix("color ") && $0.contains("auto") && $0.contains("default") })
    let json = try run(["config", "--format", "ndjson"], "").output
    #expect(json.contains(#"{"option":"quiet","value":"no","from":"default","#))
  }

  @Test(
    "a mistake in it is told with its line, and what to write instead",
    arguments: [
      ("colour = never", ":1: there is no option \"colour\"; did you mean \"color\"?"),
      (
        "\n\ncolor = sometimes",
        ":3: \"sometimes\" is not a value of color; it takes auto, always, never"
      ),
      ("time wall", ":1: \"time wall\" sets nothing; write it as: color = never"),
      ("fields = nothing", ":1: fields: there is no column \"nothing\""),
      ("width = 3", ":1: width: it takes from 40 to 10000"),
    ])
  func mistakes(text: String, message: String) throws {
    let run = try run(["info", trace], text)
    #expect(run.status == 2)
    #expect(run.errors.contains("config\(message)"), "\(run.errors)")
  }

  @Test("is looked for in the user's folders, and VARVE_CONFIG names another, or none")
  func places() throws {
    let home = TemporaryFolder()
    let places = ["\(home.path)/.config/varve", "\(home.path)/xdg/varve"]
    for (index, place) in places.enumerated() {
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: true)
      let text = "width = \(100 + index)\n"
      try text.write(toFile: "\(place)/config", atomically: true, encoding: .utf8)
    }
    defer {
      for name in [".config", "xdg"] {
        try? FileManager.default.removeItem(atPath: home.file(name))
      }
    }
    var variables = ["HOME": home.path]
    #expect(try CommandRun(["config"], environment: variables).output.contains(" 100 "))
    variables["XDG_CONFIG_HOME"] = home.file("xdg")
    #expect(try CommandRun(["config"], environment: variables).output.contains(" 101 "))
    variables["VARVE_CONFIG"] = ""
    #expect(try CommandRun(["config"], environment: variables).output.contains("the terminal's"))
    variables["VARVE_CONFIG"] = home.file("missing")
    let missing = try CommandRun(["info", trace], environment: variables)
    #expect(missing.status == 2 && missing.errors.contains("there is no such file"))
  }
}
