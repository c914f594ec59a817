#pragma once
// A program's own handler of faults, which leaves by a jump, as that of an interpreter does. Swift
// has no word for it.

/// Installs the handler for SIGSEGV.
void survivor_install(void);

/// Faults, and returns because the handler jumps back here.
void survivor_fault(void);

/// Faults, and ends the program after so many milliseconds that the handler takes for its work.
void survivor_linger(unsigned milliseconds);
