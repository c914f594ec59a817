#pragma once
// Stack walking by frame pointers, and a table in which each distinct stack is stored once, under a
// number. Every step of a walk stays within the thread's stack and goes up, so the walk is safe
// whatever the frames contain. Also the process's modules, which contain the addresses of stacks.
#include "varve_thread.h"

/// Stores the return addresses of at most `most` frames, innermost first, and, if `frames` is not
/// null, the frames' addresses. Returns the number of frames. If `frames` is null, in a task, the
/// functions that await its innermost one follow, if they can be found (`varve_task.h`).
int vv_stack_walk(uintptr_t *addresses, uintptr_t *frames, int most);

/// Returns a number for the way from where the current template scope came into force to the calling
/// code: equal for equal return addresses.
uint64_t vv_stack_hash_in_scope(void);

/// The maximum number of frames stored of a stack, from the innermost on. Without inlining, this
/// many may lie above the program's own frames.
#define VV_STACK_FRAMES 64
/// The maximum number of stored stacks. Their numbers fit into 20 bits.
#define VV_STACKS 32768

/// A stored stack. It never changes, except for `session`, and is never removed.
typedef struct vv_stack {
  uint64_t hash;
  uint32_t count;    // the number of addresses
  uint32_t session;  // the session in which the stack was last recorded
  uintptr_t addresses[VV_STACK_FRAMES];  // return addresses or resumptions, innermost first
} vv_stack;

/// The stored stacks, by number.
extern VV_HERE vv_stack vv_stacks[VV_STACKS + 1];

/// Returns the number of the caller's stack, from 1; 0 if too many stacks are stored. Equal stacks
/// have the same number, except for a few that were stored at the same time. Takes no lock and
/// allocates nothing.
uint32_t vv_stack_capture(void);

/// Like `vv_stack_capture`, but begins with the return address of a given frame.
uint32_t vv_stack_capture_from(uintptr_t frame);

/// Like `vv_stack_capture_from`, but ends before the frame `end`, of a function that runs work of
/// many kinds; 0 for none. Cheaper where the same stacks come again and again: of a stack that was
/// met lately, the addresses are compared, not hashed.
uint32_t vv_stack_capture_until(vv_thread *thread, uintptr_t frame, uintptr_t end) VV_HERE;

/// Like `vv_stack_intern`, and cheaper for stacks that come again and again.
uint32_t vv_stack_number(const uintptr_t *addresses, uint32_t count) VV_HERE;

/// Returns the number of a stack that is given by its addresses, as `vv_stack_capture` does.
uint32_t vv_stack_intern(const uintptr_t *addresses, uint32_t count);

/// Like `vv_stack_capture`, but walks by unwind tables instead of frame pointers. This takes
/// microseconds, and works through libraries that were built without frame pointers, such as
/// Swift's Dispatch.
uint32_t vv_stack_capture_unwound(void);

/// Returns the stack with this number; null if there is none.
const vv_stack *vv_stack_find(uint32_t id);

/// The number of stored stacks.
uint32_t vv_stack_kept(void);

/// The number of times that a stack was not stored because there were too many.
uint64_t vv_stack_refused(void);

/// Whether a recording has the stack: false until `vv_stack_mark_defined` is called.
static inline bool vv_stack_is_defined(const vv_stack *stack, uint32_t session) {
  return __atomic_load_n(&stack->session, __ATOMIC_ACQUIRE) == session;
}

/// Notes that a recording has the stack.
static inline void vv_stack_mark_defined(const vv_stack *stack, uint32_t session) {
  __atomic_store_n(&((vv_stack *)stack)->session, session, __ATOMIC_RELEASE);
}

/// The symbol of a code address, according to the dynamic linker.
typedef struct vv_symbol {
  const char *image;   // path of the module, or null
  const char *name;    // mangled, or null
  uintptr_t image_base;
  uintptr_t address;   // the symbol's address
} vv_symbol;

/// Looks up an address among the exported symbols; returns false if it is in no module.
bool vv_symbol_find(uintptr_t address, vv_symbol *symbol);

/// Returns the demangled name of a Swift function, to be freed with `vv_symbol_free`; null if the
/// name is not a Swift one.
char *vv_symbol_demangle(const char *mangled);
void vv_symbol_free(char *name);

// MARK: Modules

#define VV_BUILD_ID_LARGEST 64

/// The executable or a loaded library.
typedef struct vv_module {
  const char *path;       // valid during the visit
  uintptr_t bias;         // the difference between memory addresses and the file's addresses
  uintptr_t base;         // the address of the lowest loaded page
  uintptr_t start, end;   // the range of the code's addresses
  uint32_t build_id_bytes;
  uint8_t build_id[VV_BUILD_ID_LARGEST];
} vv_module;

/// Calls `visit` for each module, while holding the dynamic linker's lock.
void vv_modules_visit(void (*visit)(const vv_module *module, void *context), void *context);

/// A number that changes whenever a module is loaded or unloaded.
uint64_t vv_modules_generation(void);
