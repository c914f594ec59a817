#if canImport(Runtime) && os(Linux)
  internal import Runtime
  internal import VarveProbe

  extension Backtrace {
    /// A backtrace of frames that were taken at some other time.
    ///
    /// There is no initialiser for that. But backtraces can be coded, and the code is simple: the
    /// byte 2 (its version, and words of 64 bits), then for each frame the byte 0x2f (a return
    /// address, as it is, in eight bytes) or 0x3f (where a function goes on that awaits) and the
    /// address, highest byte first, and in the end 0; all that in base 64.
    init?(_ frames: [StackFrame]) {
      var code: [UInt8] = [2]
      for frame in frames {
        code.append(frame.isResumption ? 0x3f : 0x2f)
        for shift in stride(from: 56, through: 0, by: -8) {
          code.append(UInt8(truncatingIfNeeded: frame.address >> UInt64(shift)))
        }
      }
      code.append(0)
      #if arch(x86_64)
        let architecture = "x86_64"
      #elseif arch(arm64)
        let architecture = "arm64"
      #else
        let architecture = ""
      #endif
      let texts = ["architecture": architecture, "backtrace": Base64.text(code)]
      guard let made = try? Backtrace(from: TextDecoder(texts)) else { return nil }
      self = made
    }
  }

  extension StackFrame {
    /// What a frame was made of.
    init?(_ frame: Backtrace.Frame) {
      switch frame {
      case .returnAddress(let address):
        guard let number = UInt64(address) else { return nil }
        self.init(address: number)
      case .asyncResumePoint(let address):
        guard let number = UInt64(address) else { return nil }
        self.init(address: number, isResumption: true)
      default: return nil
      }
    }
  }

  /// Decodes something that consists of texts with names.
  private struct TextDecoder: Decoder {
    let texts: [String: String]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ texts: [String: String]) { self.texts = texts }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(TextContainer<Key>(texts: texts))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NothingElse() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NothingElse() }
  }

  /// It was asked for something that is no text with a name.
  private struct NothingElse: Error {}

  private struct TextContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let texts: [String: String]
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { texts.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { texts[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { texts[key.stringValue] == nil }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
      guard let text = texts[key.stringValue] else { throw NothingElse() }
      return text
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      guard let value = texts[key.stringValue] as? Value else { throw NothingElse() }
      return value
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { throw NothingElse() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { throw NothingElse() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw NothingElse() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { throw NothingElse() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { throw NothingElse() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { throw NothingElse() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { throw NothingElse() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { throw NothingElse() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { throw NothingElse() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { throw NothingElse() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { throw NothingElse() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { throw NothingElse() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { throw NothingElse() }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
      -> KeyedDecodingContainer<Nested>
    { throw NothingElse() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw NothingElse()
    }

    func superDecoder() throws -> any Decoder { throw NothingElse() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NothingElse() }
  }

  private enum Base64 {
    private static let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Four characters for three bytes; what the last ones lack is filled with `=`.
    static func text(_ bytes: [UInt8]) -> String {
      var text: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let three = bytes[start..<min(start + 3, bytes.count)]
        let padded = Array(three) + Array(repeating: 0, count: 3 - three.count)
        let number = padded.reduce(0) { $0 << 8 | UInt32($1) }
        for index in 0..<4 {
          let code = alphabet[Int(number >> UInt32(18 - 6 * index) & 63)]
          text.append(index <= three.count ? code : UInt8(ascii: "="))
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }
#endif
