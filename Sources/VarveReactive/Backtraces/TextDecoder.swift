#if canImport(Runtime) && os(Linux)
  /// Decodes a type from named texts, or from a single text. The toolchain has no other way to make
  /// such types.
  struct TextDecoder: Decoder {
    private let texts: [String: String]
    private let text: String?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(named texts: [String: String]) { (self.texts, text) = (texts, nil) }
    init(_ text: String) { (texts, self.text) = ([:], text) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(TextContainer<Key>(texts: texts))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NothingElse() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
      guard let text else { throw NothingElse() }
      return OneText(text: text)
    }
  }

  /// The error of decoding anything that is not text.
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

  private struct OneText: SingleValueDecodingContainer {
    let text: String
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode(_ type: String.Type) throws -> String { text }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      guard let value = text as? Value else { throw NothingElse() }
      return value
    }

    func decode(_ type: Bool.Type) throws -> Bool { throw NothingElse() }
    func decode(_ type: Double.Type) throws -> Double { throw NothingElse() }
    func decode(_ type: Float.Type) throws -> Float { throw NothingElse() }
    func decode(_ type: Int.Type) throws -> Int { throw NothingElse() }
    func decode(_ type: Int8.Type) throws -> Int8 { throw NothingElse() }
    func decode(_ type: Int16.Type) throws -> Int16 { throw NothingElse() }
    func decode(_ type: Int32.Type) throws -> Int32 { throw NothingElse() }
    func decode(_ type: Int64.Type) throws -> Int64 { throw NothingElse() }
    func decode(_ type: UInt.Type) throws -> UInt { throw NothingElse() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { throw NothingElse() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { throw NothingElse() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { throw NothingElse() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { throw NothingElse() }
  }

  /// The base 64 encoding of bytes.
  enum Base64 {
    private static let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns four characters for every three bytes, padded with `=`.
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
