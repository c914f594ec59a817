internal import VarveFormat
internal import VarveProbe

/// The description of a trace in the Common Trace Format, version 1.8.
enum CTFMetadata {
  /// The form of an event's value. Together with the kind it determines the fields of the event.
  enum Form: Int, CaseIterable {
    case none, integer, unsigned, real, text
  }

  /// The number that says what fields an event has. 0 stands for kinds that a newer version writes.
  static func number(_ kind: RecordKind?, _ form: Form) -> UInt16 {
    UInt16(kind?.rawValue ?? 0) << 3 | UInt16(form.rawValue)
  }

  /// Returns the description. The events of several processes have theirs in their contexts.
  static func text(_ header: TraceHeader, isMerged: Bool) -> String {
    let process = header.process
    let environment =
      isMerged
      ? ""
      : """

        program = \(quoted(process.program));
        hostname = \(quoted(process.host));
        vpid = \(process.pid);
      """
    let owner = isMerged ? " uint32_t vpid; string procname;" : ""
    let second: UInt64 = 1_000_000_000
    var text = """
      /* CTF 1.8 */
      typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
      typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
      typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
      typealias integer { size = 64; align = 8; signed = true; } := int64_t;
      typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := double;
      trace {
        major = 1;
        minor = 8;
        byte_order = le;
        packet.header := struct { uint32_t magic; uint32_t stream_id; };
      };
      env {
        tracer_name = "varve";\(environment)
      };
      clock {
        name = varve;
        freq = 1000000000;
        offset_s = \(process.started / second);
        offset = \(process.started % second);
      };
      typealias integer { size = 64; align = 8; signed = false; map = clock.varve.value; } := time_t;
      stream {
        id = 0;
        packet.context := struct {
          time_t timestamp_begin;
          time_t timestamp_end;
          uint64_t content_size;
          uint64_t packet_size;
          uint64_t events_discarded;
        };
        event.header := struct { uint16_t id; time_t timestamp; };
        event.context := struct { string _event; uint32_t tid; string thread;\(owner) };
      };

      """
    for kind in [nil] + RecordKind.allCases.map(Optional.some) {
      for form in Form.allCases { text += event(kind, form) }
    }
    return text
  }

  private static func event(_ kind: RecordKind?, _ form: Form) -> String {
    let value =
      switch form {
      case .none: ""
      case .integer: " int64_t value;"
      case .unsigned: " uint64_t value;"
      case .real: " double value;"
      case .text: " string value; uint64_t value_bytes;"
      }
    return """
      event {
        id = \(number(kind, form));
        name = "\(kind?.name ?? "unknown")";
        stream_id = 0;
        fields := struct { string name; uint32_t _stream; uint64_t subscription; string cause; \
      string reason;\(value) };
      };

      """
  }

  private static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" || scalar.value < 0x20 ? "_" : String(scalar)
    }
    return "\"\(plain.joined())\""
  }
}
