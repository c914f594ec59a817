/// Tells the recorder, which the command links for what it says to running programs, that this
/// program is not one to record: `VARVE_TRACE` may name the trace that it is to read. Asked for by
/// `CVarveSystem/start.c`.
@_cdecl("varve_program_only_reads")
public func programOnlyReads() {}
