// What the recorder's own declarations mention, so that clients can spell it.
@_exported public import struct VarveFormat.TraceFileError
@_exported public import enum VarveProbe.AbsorptionReason
@_exported public import struct VarveProbe.NameGlob
@_exported public import struct VarveProbe.StreamSelection
