// The types that appear in the recorder's own declarations, exported so that clients can name them.
@_exported public import struct VarveFormat.TraceFileError
@_exported public import enum VarveProbe.AbsorptionReason
@_exported public import struct VarveProbe.NameGlob
@_exported public import struct VarveProbe.StreamSelection
