internal import VarveFormat

/// Writes a file of Apache Parquet: groups of rows, column by column, and a description at the end.
struct ParquetFile {
  private let output: ByteOutput
  private let packer: GzipPacker
  private var offset: Int64 = 0
  private var rows: Int64 = 0
  private var groups: [ThriftStruct] = []

  private static let magic = Array("PAR1".utf8)

  /// The numbers of Parquet's own format.
  private enum Number {
    static let boolean: Int32 = 0, long: Int32 = 2, real: Int32 = 5, bytes: Int32 = 6
    static let plain: Int32 = 0, runs: Int32 = 3, differences: Int32 = 5, dictionary: Int32 = 8
    static let gzip: Int32 = 2
    static let dataPage: Int32 = 0, dictionaryPage: Int32 = 2
    static let text: Int32 = 0, unsigned: Int32 = 14
  }

  /// - Parameter packer: the packer of the pages, which other files may share.
  init(_ output: ByteOutput, packer: GzipPacker = GzipPacker()) {
    self.output = output
    self.packer = packer
  }

  mutating func begin() { write(Self.magic) }

  private mutating func write(_ bytes: [UInt8]) {
    output.write(bytes: bytes)
    offset += Int64(bytes.count)
  }

  /// Writes the cells of the columns as a group of rows, and clears them.
  mutating func write(_ columns: inout [ParquetColumn]) {
    guard let count = columns.first?.count, count > 0 else { return }
    var chunks: [ThriftStruct] = []
    var bytes: Int64 = 0
    for index in columns.indices {
      chunks.append(write(columns[index], &bytes))
      columns[index].clear()
    }
    groups.append(
      ThriftStruct {
        $0.add(1, chunks)
        $0.add(2, bytes)
        $0.add(3, Int64(count))
      })
    rows += Int64(count)
  }

  private mutating func write(_ column: ParquetColumn, _ bytes: inout Int64) -> ThriftStruct {
    let start = offset
    var size: Int64 = 0
    if let (content, count) = column.dictionaryPage {
      size += write(content) { header in
        header.add(1, Number.dictionaryPage)
      } kind: { header in
        header.add(
          7,
          ThriftStruct {
            $0.add(1, Int32(count))
            $0.add(2, Number.plain)
          })
      }
    }
    let data = offset
    size += write(column.page) { header in
      header.add(1, Number.dataPage)
    } kind: { header in
      header.add(
        5,
        ThriftStruct {
          $0.add(1, Int32(column.count))
          $0.add(2, Self.encoding(column))
          $0.add(3, Number.runs)
          $0.add(4, Number.runs)
        })
    }
    bytes += size
    let packed = offset - start
    let metadata = ThriftStruct { chunk in
      chunk.add(1, Self.type(column))
      chunk.add(2, [Self.encoding(column), Number.plain, Number.runs])
      chunk.add(3, [column.name])
      chunk.add(4, Number.gzip)
      chunk.add(5, Int64(column.count))
      chunk.add(6, size)
      chunk.add(7, packed)
      chunk.add(9, data)
      if data > start { chunk.add(11, start) }
      if let range = column.range { chunk.add(12, Self.statistics(range)) }
    }
    return ThriftStruct {
      $0.add(2, start)
      $0.add(3, metadata)
    }
  }

  /// Writes a page; returns its size before packing, with its header.
  private mutating func write(
    _ content: [UInt8], type: (inout ThriftStruct) -> Void, kind: (inout ThriftStruct) -> Void
  ) -> Int64 {
    let packed = packer.packed(content)
    var header = ThriftStruct()
    type(&header)
    header.add(2, Int32(content.count))
    header.add(3, Int32(packed.count))
    kind(&header)
    let bytes = header.bytes + [0]
    write(bytes)
    write(packed)
    return Int64(bytes.count + content.count)
  }

  private static func statistics(_ range: ClosedRange<Int64>) -> ThriftStruct {
    ThriftStruct { statistics in
      for (field, number) in [(5, range.upperBound), (6, range.lowerBound)] {
        var bytes: [UInt8] = []
        bytes.append(little: number)
        statistics.add(UInt8(field), bytes)
      }
    }
  }

  /// Writes the description.
  mutating func end(_ columns: [ParquetColumn], facts: [(String, String)]) {
    let root = ThriftStruct {
      $0.add(4, "events")
      $0.add(5, Int32(columns.count))
    }
    let description = ThriftStruct { file in
      file.add(1, Int32(2))
      file.add(2, [root] + columns.map(Self.schema))
      file.add(3, rows)
      file.add(4, groups)
      file.add(
        5,
        facts.map { fact in
          ThriftStruct {
            $0.add(1, fact.0)
            $0.add(2, fact.1)
          }
        })
      file.add(6, "varve")
    }
    var end = description.bytes + [0]
    end.append(little: UInt32(end.count))
    write(end + Self.magic)
  }

  private static func schema(_ column: ParquetColumn) -> ThriftStruct {
    ThriftStruct { element in
      element.add(1, type(column))
      element.add(3, Int32(1))
      element.add(4, column.name)
      switch column.kind {
      case .integer, .real, .boolean: break
      case .unsigned:
        element.add(6, Number.unsigned)
        let integer = ThriftStruct {
          $0.add(1, byte: 64)
          $0.add(2, false)
        }
        element.add(10, ThriftStruct { $0.add(10, integer) })
      case .moment:
        let moment = ThriftStruct {
          $0.add(1, true)
          $0.add(2, ThriftStruct { $0.add(3, ThriftStruct()) })
        }
        element.add(10, ThriftStruct { $0.add(8, moment) })
      case .text, .name:
        element.add(6, Number.text)
        element.add(10, ThriftStruct { $0.add(1, ThriftStruct()) })
      }
    }
  }

  private static func type(_ column: ParquetColumn) -> Int32 {
    switch column.kind {
    case .integer, .unsigned, .moment: Number.long
    case .real: Number.real
    case .boolean: Number.boolean
    case .text, .name: Number.bytes
    }
  }

  private static func encoding(_ column: ParquetColumn) -> Int32 {
    switch column.kind {
    case .integer, .unsigned, .moment: Number.differences
    case .real, .boolean, .text: Number.plain
    case .name: Number.dictionary
    }
  }
}
