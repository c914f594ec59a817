#pragma once
// The executable and the libraries that are in the process.
#include <stdint.h>

#define VV_BUILD_ID_LARGEST 64

typedef struct vv_module {
  const char *path;       // valid during the visit
  uintptr_t bias;         // what memory addresses are more than the file's own
  uintptr_t base;         // where the lowest page lies that is loaded of it
  uintptr_t start, end;   // the addresses that its code takes
  uint32_t build_id_bytes;
  uint8_t build_id[VV_BUILD_ID_LARGEST];
} vv_module;

/// Calls `visit` for each module. The dynamic linker's lock is held meanwhile.
void vv_modules_visit(void (*visit)(const vv_module *module, void *context), void *context);

/// A number that changes whenever a module is loaded or unloaded.
uint64_t vv_modules_generation(void);
