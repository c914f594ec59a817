/// Declares to the recorder that this program is not to be recorded.
///
/// The command links the recorder for its messages to running programs, and `VARVE_TRACE` may name
/// the trace that the command reads. `CVarveSystem/start.c` looks for this symbol.
@_cdecl("varve_program_only_reads")
public func programOnlyReads() {}
