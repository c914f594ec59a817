/// The look of pictures on light and dark backgrounds.
enum PictureStyle {
  private static let light = [
    "#1f6fb2", "#7b4fb0", "#2e7d5b", "#b0560f", "#a8326e", "#54751f", "#3c5fd0", "#80620f",
  ]
  private static let dark = [
    "#6cb3ee", "#bb98ea", "#6fcba1", "#f0a35c", "#ee87b8", "#a5cb5e", "#93a9ff", "#d8b24a",
  ]

  /// Returns the index of a stream's color, the same in every picture.
  static func shade(of name: String) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int((hash >> 32) % UInt64(light.count))
  }

  /// The CSS rules. They depend on no surrounding page.
  static let rules =
    ".paper{fill:#fff}text{fill:#222}.dim{fill:#666}.grid{stroke:#e4e4e4}.fold{fill:#f2f2f2}"
    + ".lost{fill:#d33;opacity:.35}.life{stroke:#999;stroke-width:2}.marble{stroke:#fff}"
    + ".hop line{stroke:#0b8a99;stroke-width:3;stroke-dasharray:4 3}"
    + ".runs{fill:#2e7d5b}.ready{fill:#d0a020}.waits{fill:#d5d9e0}.task .name{fill:#555}"
    + ".hop .handed{stroke-width:2;stroke-dasharray:none}"
    + ".count{fill:#fff;font-weight:bold;pointer-events:none}"
    + ".value{pointer-events:none;font-size:10px}.completed{stroke:#2a7d2a;stroke-width:4}"
    + ".failed{stroke:#c22;stroke-width:4}.cancelled{stroke:#b80;stroke-width:4}" + shades(light)
    + "@media(prefers-color-scheme:dark){.paper{fill:#16181c}text{fill:#ddd}.dim{fill:#999}"
    + ".grid{stroke:#2c2f35}.fold{fill:#22252a}.life{stroke:#777}.marble{stroke:#16181c}"
    + ".hop line{stroke:#3cc4d4}.runs{fill:#6fcba1}.ready{fill:#d8b24a}.waits{fill:#3a3f48}"
    + ".task .name{fill:#aaa}"
    + ".count{fill:#16181c}.completed{stroke:#5fc45f}.failed{stroke:#f66}.cancelled{stroke:#fb4}"
    + shades(dark) + "}"

  private static func shades(_ colours: [String]) -> String {
    colours.enumerated().map { ".k\($0) .marble,.k\($0) .name{fill:\($1)}" }.joined()
  }
}
