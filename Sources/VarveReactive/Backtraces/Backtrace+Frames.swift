#if canImport(Runtime) && os(Linux)
  internal import Runtime
  internal import VarveProbe

  extension Backtrace {
    /// Creates a backtrace of frames that were captured at another time.
    ///
    /// There is no initializer for this. But backtraces can be coded, and the encoding is simple:
    /// the byte 2 (its version, and 64-bit words); for each frame the byte 0x2f (a return address,
    /// as it is, in eight bytes) or 0x3f (where an awaiting function resumes) and the address,
    /// highest byte first; and 0 at the end; all of that in base 64.
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
      guard let made = try? Backtrace(from: TextDecoder(named: texts)) else { return nil }
      self = made
    }
  }

  extension StackFrame {
    /// Creates a frame from one of the toolchain's.
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
#endif
