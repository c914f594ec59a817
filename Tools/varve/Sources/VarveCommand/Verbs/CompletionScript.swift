internal import ArgumentParser

/// The parser's own scripts, with what they lack: the verbs behind `varve help`, and all that follows
/// a file without a verb, which is as behind `varve info` or, with flags that select events, `replay`.
enum CompletionScript {
  /// Returns the script for a shell.
  static func text(for shell: CompletionShell) -> String {
    let script = VarveCommand.completionScript(for: shell)
    switch shell {
    case .bash: return bash(script)
    case .zsh: return zsh(script)
    default: return fish(script)
    }
  }

  /// The flags that select events, as alternatives of a pattern.
  private static var selecting: String { BareFile.selecting.sorted().joined(separator: "|") }

  private static func bash(_ script: String) -> String {
    guard let help = script.firstRange(of: "_varve_help() {"),
      let end = script[help.upperBound...].firstIndex(of: "}")
    else { return script }
    let verbs = VarveCommand.verbs.joined(separator: "'$'\\n''")
    let words = "    __varve_add_completions -W '\(verbs)'\n"
    // Where there is nothing else to complete, as in `varve FILE`, files are.
    return (script[..<end] + words + script[end...])
      .replacing("complete -o filenames -F", with: "complete -o filenames -o default -F")
      .replacing("\n_varve() {", with: "\n__varve_with_verb() {")
      .replacing("\n_varve_info() {", with: "\n\(bashFile)\n_varve_info() {")
  }

  private static var bashFile: String {
    #"""
    _varve() {
        local -a varve_words=("${COMP_WORDS[@]}")
        local -i varve_count="${COMP_CWORD}" varve_point="${COMP_POINT}"
        local varve_line="${COMP_LINE}" varve_verb=info varve_word
        if [[ "${varve_count}" -gt 1 && -f "${varve_words[1]}" ]]; then
            for varve_word in "${varve_words[@]:2}"; do
                case "${varve_word%%=*}" in
                \#(selecting)) varve_verb=replay ;;
                esac
            done
            varve_words=("${varve_words[0]}" "${varve_verb}" "${varve_words[@]:1}")
            varve_count+=1
            varve_point+="${#varve_verb}+1"
            varve_line="${varve_words[0]} ${varve_verb} ${varve_line#*[[:space:]]}"
        fi
        local -a COMP_WORDS=("${varve_words[@]}")
        local -i COMP_CWORD="${varve_count}" COMP_POINT="${varve_point}"
        local COMP_LINE="${varve_line}"
        __varve_with_verb "${@}"
    }

    """#
  }

  private static func zsh(_ script: String) -> String {
    let file = #"""
          *)
              if [[ -f "${words[1]}" ]]; then
                  local varve_word varve_verb=info
                  for varve_word in "${words[@]:1}"; do
                      case "${varve_word%%\=*}" in
                      \#(selecting)) varve_verb=replay ;;
                      esac
                  done
                  words=("${varve_verb}" "${words[@]}")
                  ((CURRENT++))
                  "_varve_${varve_verb}" && ret=0
              fi
              ;;
          esac
          ;;
      esac

      return "${ret}"
      """#
    let end = #"""
          esac
          ;;
      esac

      return "${ret}"
      """#
    var script = script.replacing(
      "'*:subcommands:'",
      with: "'*:subcommands:(\(VarveCommand.verbs.joined(separator: " ")))'")
    if let place = script.firstRange(of: indented(end)) {
      script.replaceSubrange(place, with: indented(file))
    }
    return script.replacing(
      "_describe -V subcommand subcommands && ret=0",
      with: "_describe -V subcommand subcommands && ret=0\n        _files && ret=0")
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
  }

  /// Gives values descriptions of their own, which are empty: without, fish shows that of the option
  /// behind each of them.
  private static func plainValues(_ script: String) -> String {
    let asked = "command $tokens[1] $argv $tokens\n"
    let values = " -rfka '"
    return script.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let list = line.firstRange(of: values), line.hasSuffix("'") else { return String(line) }
      let words = line[list.upperBound...].dropLast()
      guard !words.hasPrefix("(") else { return String(line) }
      let plain = words.split(separator: " ").map { "\($0)\\t" }.joined(separator: " ")
      return line[..<list.upperBound] + plain + "'"
    }.joined(separator: "\n")
      .replacing(asked, with: asked.dropLast() + " | string replace -r '$' '\\t'\n")
  }

  private static func fish(_ script: String) -> String {
    let verbs = VarveCommand.verbs
    let parsed = "        __varve_parse_subcommand 0 'version' 'h/help'\n"
    let file = #"""
              if test (count $unparsed_tokens) -gt 0; and test -f "$unparsed_tokens[1]"
                  set -l varve_verb info
                  string match -rq -- '^(\#(selecting))(=|$)' $unparsed_tokens[2..]
                  and set varve_verb replay
                  set -p unparsed_tokens $varve_verb
              end

      """#
    return plainValues(script.replacing(parsed, with: parsed + file))
      + "\ncomplete -c varve -n '__fish_seen_subcommand_from help' -f -a '"
      + verbs.joined(separator: " ") + "'\n"
      + "complete -c varve -n '__varve_should_offer_completions_for_positional \"varve\" -eq 1' -F"
  }
}
