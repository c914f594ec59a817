#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_stack.h"

#include <dlfcn.h>

__attribute__((noinline)) int vv_stack_walk(uintptr_t *addresses, uintptr_t *frames, int most) {
  vv_thread *thread = vv_thread_current();
  if (thread->stack_high == 0) vv_thread_find_stack(thread);
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uintptr_t lowest = thread->stack_low;
  int count = 0;
  while (count < most) {
    if (frame < lowest || frame > thread->stack_high - 16 || (frame & 7)) break;
    uintptr_t next = ((uintptr_t *)frame)[0];
    uintptr_t address = ((uintptr_t *)frame)[1];
    if (address < 4096) break;
    if (frames) frames[count] = frame;
    addresses[count++] = address;
    lowest = frame + 16;
    frame = next & 0x0fffffffffffffffull;  // Apple's async frames set bit 60
  }
  return count;
}

bool vv_symbol_find(uintptr_t address, vv_symbol *symbol) {
  Dl_info found;
  if (!dladdr((void *)address, &found)) return false;
  symbol->image = found.dli_fname;
  symbol->name = found.dli_sname;
  symbol->image_base = (uintptr_t)found.dli_fbase;
  symbol->address = (uintptr_t)found.dli_saddr;
  return true;
}
