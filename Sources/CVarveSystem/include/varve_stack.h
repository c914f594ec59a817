#pragma once
// Walks the calling thread's stack by frame pointers. Every step stays inside the thread's own
// stack and goes up, so the walk is safe whatever the frames hold.
#include "varve_thread.h"

/// Stores the return addresses of at most `most` frames, innermost first, and if `frames` is not
/// null the frames' addresses; returns how many there were.
int vv_stack_walk(uintptr_t *addresses, uintptr_t *frames, int most);

/// What the dynamic linker knows of a code address.
typedef struct vv_symbol {
  const char *image;   // path of the module, or null
  const char *name;    // mangled, or null
  uintptr_t image_base;
  uintptr_t address;   // of the symbol
} vv_symbol;

/// Looks an address up among the exported symbols; false when no module holds it.
bool vv_symbol_find(uintptr_t address, vv_symbol *symbol);
