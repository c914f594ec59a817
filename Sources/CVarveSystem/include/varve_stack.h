#pragma once
// Walks the calling thread's stack by frame pointers, and keeps each different stack once, under a
// number. Every step of a walk stays inside the thread's own stack and goes up, so the walk is safe
// whatever the frames hold. Also the process's modules, in which the addresses of stacks lie.
#include "varve_thread.h"

/// Stores the return addresses of at most `most` frames, innermost first, and if `frames` is not
/// null the frames' addresses; returns how many there were. In a task the functions that await
/// its innermost one follow, where they can be found (`varve_task.h`), unless frames are asked for.
int vv_stack_walk(uintptr_t *addresses, uintptr_t *frames, int most);

/// The most frames that are kept of a stack: the innermost. So many lie above a program's own when
/// nothing is inlined.
#define VV_STACK_FRAMES 64
/// The most different stacks that are kept. Their numbers fit into 20 bits.
#define VV_STACKS 32768

/// A stack that is kept. It never changes, but for `session`, and never goes.
typedef struct vv_stack {
  uint64_t hash;
  uint32_t count;    // of frames
  uint32_t session;  // the recording that knows it
  uintptr_t addresses[VV_STACK_FRAMES];  // return addresses or resumptions, innermost first
} vv_stack;

/// The number of the calling code's stack, from 1; 0 when there are too many different ones
/// already. Equal stacks have the same number, but for a few that raced. Takes no lock and
/// allocates nothing.
uint32_t vv_stack_capture(void);

/// As `vv_stack_capture`, by the tables that describe every function's frame and not by frame
/// pointers: it takes microseconds, and sees through libraries that were built without frame
/// pointers, as Dispatch's own for Swift was.
uint32_t vv_stack_capture_unwound(void);

/// The stack with a number that `vv_stack_capture` gave; null for any other.
const vv_stack *vv_stack_find(uint32_t id);

/// How many different stacks are kept.
uint32_t vv_stack_kept(void);

/// How often a stack was not kept because there were too many.
uint64_t vv_stack_refused(void);

/// Whether a recording does not know the stack: true until `vv_stack_is_told`.
static inline bool vv_stack_is_news(const vv_stack *stack, uint32_t session) {
  return __atomic_load_n(&stack->session, __ATOMIC_ACQUIRE) != session;
}

/// Notes that a recording knows the stack.
static inline void vv_stack_is_told(const vv_stack *stack, uint32_t session) {
  __atomic_store_n(&((vv_stack *)stack)->session, session, __ATOMIC_RELEASE);
}

/// A code address, as the dynamic linker knows it.
typedef struct vv_symbol {
  const char *image;   // path of the module, or null
  const char *name;    // mangled, or null
  uintptr_t image_base;
  uintptr_t address;   // of the symbol
} vv_symbol;

/// Looks an address up among the exported symbols; false when no module holds it.
bool vv_symbol_find(uintptr_t address, vv_symbol *symbol);

/// A Swift function's name as people write it, for `vv_symbol_free`; null when it is none.
char *vv_symbol_demangle(const char *mangled);
void vv_symbol_free(char *name);

// MARK: Modules

#define VV_BUILD_ID_LARGEST 64

/// The executable or a library that is in the process.
typedef struct vv_module {
  const char *path;       // valid during the visit
  uintptr_t bias;         // how much higher memory addresses are than the file's own
  uintptr_t base;         // where the lowest page lies that is loaded of it
  uintptr_t start, end;   // the addresses that its code takes
  uint32_t build_id_bytes;
  uint8_t build_id[VV_BUILD_ID_LARGEST];
} vv_module;

/// Calls `visit` for each module. The dynamic linker's lock is held meanwhile.
void vv_modules_visit(void (*visit)(const vv_module *module, void *context), void *context);

/// A number that changes whenever a module is loaded or unloaded.
uint64_t vv_modules_generation(void);
