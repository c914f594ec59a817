#pragma once
#include <stdint.h>

// As `vv_stack_capture`, by the tables that describe every function's frame and not by frame
// pointers: it takes microseconds, and sees through libraries that were built without frame
// pointers, as Dispatch's own for Swift was.
uint32_t vv_stack_capture_unwound(void);
