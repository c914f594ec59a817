#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_stack.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <elf.h>
#include <link.h>
#include <unistd.h>
#endif
#include "varve_process.h"
#include "varve_task.h"

static inline vv_thread *thread_with_stack(void) {
  vv_thread *thread = vv_thread_current();
  if (__builtin_expect(thread->stack_high == 0, 0)) vv_thread_find_stack(thread);
  return thread;
}

// Returns the address of the caller's frame. Only Apple's systems mark the frames of asynchronous
// functions, in bit 60; elsewhere, clearing that bit would only slow down the walk.
static inline uintptr_t frame_above(uintptr_t saved) {
#if defined(__APPLE__)
  return saved & 0x0fffffffffffffffull;
#else
  return saved;
#endif
}

VV_UNCHECKED __attribute__((noinline)) int vv_stack_walk(uintptr_t *addresses, uintptr_t *frames,
                                                         int most) {
  vv_thread *thread = thread_with_stack();
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uintptr_t lowest = thread->stack_low;
  uintptr_t entry = frames ? 0 : __atomic_load_n(&vv_await_entry, __ATOMIC_RELAXED);
  int count = 0;
  while (count < most) {
    if (frame < lowest || frame > thread->stack_high - 16 || (frame & 7)) break;
    uintptr_t next = ((uintptr_t *)frame)[0];
    uintptr_t address = ((uintptr_t *)frame)[1];
    if (address < 4096) break;
    if (address == entry && entry)
      return count + vv_await_walk(frame, addresses + count, most - count);
    if (frames) frames[count] = frame;
    addresses[count++] = address;
    lowest = frame + 16;
    frame = frame_above(next);
  }
  return count;
}

VV_UNCHECKED __attribute__((noinline)) uint64_t vv_stack_hash_in_scope(void) {
  vv_thread *thread = thread_with_stack();
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uintptr_t lowest = thread->stack_low;
  uintptr_t end = vv_template_frame();
  if (end > thread->stack_high - 16) return 0;
  uint64_t hash = 14695981039346656037u;
  for (int count = 0; count < VV_STACK_FRAMES && frame >= lowest && frame < end && !(frame & 7);
       count++) {
    hash = (hash ^ ((uintptr_t *)frame)[1]) * 1099511628211u;
    lowest = frame + 16;
    frame = frame_above(((uintptr_t *)frame)[0]);
  }
  return hash;
}

// MARK: Interning

// Untouched entries take no physical memory. Number 0 stands for no stack.
vv_stack vv_stacks[VV_STACKS + 1];
static uint32_t last_stack = 0;
static uint64_t refused = 0;

// A hash table from hash to number, never more than half full. An entry has the upper half of the
// hash, and the number below it.
enum { slots_count = 2 * VV_STACKS, probes_most = 128 };
static uint64_t slots[slots_count];

static inline bool is_same(const vv_stack *stack, uint64_t hash, const uintptr_t *addresses,
                           uint32_t count) {
  return stack->hash == hash && stack->count == count &&
         memcmp(stack->addresses, addresses, count * sizeof *addresses) == 0;
}

static uint32_t keep(uint64_t hash, const uintptr_t *addresses, uint32_t count) {
  uint32_t last = __atomic_load_n(&last_stack, __ATOMIC_RELAXED);
  do {
    if (last >= VV_STACKS) return 0;
  } while (!__atomic_compare_exchange_n(&last_stack, &last, last + 1, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  vv_stack *stack = &vv_stacks[last + 1];
  stack->hash = hash;
  stack->count = count;
  memcpy(stack->addresses, addresses, count * sizeof *addresses);
  return last + 1;
}

static uint32_t intern(uint64_t hash, const uintptr_t *addresses, uint32_t count) {
  uint64_t tag = hash & 0xffffffff00000000ull;
  uint32_t kept = 0;
  for (uint32_t probe = 0; probe < probes_most; probe++) {
    uint64_t *slot = &slots[(hash + probe) % slots_count];
    uint64_t found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (found == 0) {
      if (!kept) kept = keep(hash, addresses, count);
      if (!kept) break;
      if (__atomic_compare_exchange_n(slot, &found, tag | kept, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
        return kept;
    }
    uint32_t number = (uint32_t)found;
    // If another thread has stored the same stack first, its number is used.
    if ((found & 0xffffffff00000000ull) == tag && is_same(&vv_stacks[number], hash, addresses, count))
      return number;
  }
  if (!kept) __atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED);
  return kept;
}

static const uint64_t first_hash = 0x9e3779b97f4a7c15ull;

static inline uint64_t mixed(uint64_t hash, uintptr_t address) {
  return (hash ^ address) * 0xff51afd7ed558ccdull;
}

// The multiplications mix the lower bits poorly, and these select the slot. No hash is 0.
static inline uint64_t finished(uint64_t hash) {
  return (hash ^ hash >> 32) | (uint64_t)1 << 63;
}

// Adds the functions that await the one with this frame; returns the new number of addresses.
static __attribute__((noinline)) uint32_t add_awaits(uintptr_t frame, uintptr_t *addresses,
                                                     uint32_t count, uint64_t *hash) {
  uint32_t all = count + (uint32_t)vv_await_walk(frame, addresses + count,
                                                 (int)(VV_STACK_FRAMES - count));
  for (uint32_t index = count; index < all; index++) *hash = mixed(*hash, addresses[index]);
  return all;
}

__attribute__((noinline)) uint32_t vv_stack_capture(void) {
  return vv_stack_capture_from((uintptr_t)__builtin_frame_address(0));
}

uint32_t vv_stack_intern(const uintptr_t *addresses, uint32_t count) {
  uint64_t hash = first_hash;
  for (uint32_t index = 0; index < count; index++) hash = mixed(hash, addresses[index]);
  return count == 0 ? 0 : intern(finished(hash), addresses, count);
}

// The numbers of the stacks that were asked for last, by a few of their addresses.
static uint32_t recent[1024];

uint32_t vv_stack_number(const uintptr_t *addresses, uint32_t count) {
  if (count == 0) return 0;
  // The innermost ones are often the runtime's, and the outermost ones those of a thread.
  uint64_t sum = addresses[0] + 3 * addresses[count / 4] + 5 * addresses[count / 2] + count;
  uint32_t *place = &recent[sum * 0x9e3779b97f4a7c15ull >> 54];
  uint32_t number = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  const vv_stack *stack = &vv_stacks[number];
  if (__builtin_expect(stack->count == count, 1)) {
    uint32_t same = count;
    while (same > 0 && stack->addresses[same - 1] == addresses[same - 1]) same--;
    if (same == 0) return number;
  }
  number = vv_stack_intern(addresses, count);
  __atomic_store_n(place, number, __ATOMIC_RELEASE);
  return number;
}

VV_UNCHECKED uint32_t vv_stack_capture_until(vv_thread *thread, uintptr_t frame, uintptr_t end) {
  uintptr_t addresses[VV_STACK_FRAMES];
  if (__builtin_expect(thread->stack_high == 0, 0)) vv_thread_find_stack(thread);
  uintptr_t below = thread->stack_low - 1, highest = thread->stack_high - 16;
  if (end - 1 < highest) highest = end - 1;
  uintptr_t entry = __atomic_load_n(&vv_await_entry, __ATOMIC_RELAXED);
  uint32_t count = 0;
  while (frame > below && frame <= highest && !(frame & 7)) {
    uintptr_t address = ((uintptr_t *)frame)[1];
    if (address < 4096) break;
    if (__builtin_expect(address == entry, 0)) {
      count += (uint32_t)vv_await_walk(frame, addresses + count, (int)(VV_STACK_FRAMES - count));
      break;
    }
    addresses[count++] = address;
    if (count == VV_STACK_FRAMES) break;
    below = frame;
    frame = frame_above(((uintptr_t *)frame)[0]);
  }
  return vv_stack_number(addresses, count);
}

// Like `vv_stack_walk`, but computes the hash on the way, while the loads of the frames take time.
VV_UNCHECKED uint32_t vv_stack_capture_from(uintptr_t frame) {
  uintptr_t addresses[VV_STACK_FRAMES];
  vv_thread *thread = thread_with_stack();
  uintptr_t below = thread->stack_low - 1, highest = thread->stack_high - 16;
  uintptr_t entry = __atomic_load_n(&vv_await_entry, __ATOMIC_RELAXED);
  uint64_t hash = first_hash;
  uint32_t count = 0;
  while (frame > below && frame <= highest && !(frame & 7)) {
    uintptr_t next = ((uintptr_t *)frame)[0];
    uintptr_t address = ((uintptr_t *)frame)[1];
    if (address < 4096) break;
    if (address == entry && entry) {
      count = add_awaits(frame, addresses, count, &hash);
      break;
    }
    addresses[count++] = address;
    hash = mixed(hash, address);
    if (count == VV_STACK_FRAMES) break;
    below = frame;
    frame = frame_above(next);
  }
  return count == 0 ? 0 : intern(finished(hash), addresses, count);
}

#if defined(__GLIBC__) || defined(__APPLE__)
#include <execinfo.h>

// Returns the frame of a task's innermost function if frame pointers lead there; 0 otherwise.
VV_UNCHECKED static uintptr_t task_frame(uintptr_t entry) {
  vv_thread *thread = thread_with_stack();
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0), lowest = thread->stack_low;
  for (int steps = 0; entry && steps < 256; steps++) {
    if (frame < lowest || frame > thread->stack_high - 16 || (frame & 7)) break;
    if (((uintptr_t *)frame)[1] == entry) return frame;
    lowest = frame + 16;
    frame = frame_above(((uintptr_t *)frame)[0]);
  }
  return 0;
}

uint32_t vv_stack_capture_unwound(void) {
  // This function and its caller are left out.
  enum { own = 2 };
  void *found[own + VV_STACK_FRAMES];
  int depth = backtrace(found, own + VV_STACK_FRAMES) - own;
  if (depth <= 0) return vv_stack_capture();
  uintptr_t addresses[VV_STACK_FRAMES];
  uintptr_t entry = __atomic_load_n(&vv_await_entry, __ATOMIC_RELAXED);
  uint64_t hash = first_hash;
  uint32_t count = 0;
  while (count < (uint32_t)depth) {
    uintptr_t address = (uintptr_t)found[own + count];
    uintptr_t task = address == entry ? task_frame(entry) : 0;
    if (task) {
      count = add_awaits(task, addresses, count, &hash);
      break;
    }
    addresses[count++] = address;
    hash = mixed(hash, address);
  }
  return intern(finished(hash), addresses, count);
}
#else
uint32_t vv_stack_capture_unwound(void) { return vv_stack_capture(); }
#endif

const vv_stack *vv_stack_find(uint32_t id) {
  return id != 0 && id <= vv_stack_kept() ? &vv_stacks[id] : NULL;
}

uint32_t vv_stack_kept(void) { return __atomic_load_n(&last_stack, __ATOMIC_RELAXED); }

uint64_t vv_stack_refused(void) { return __atomic_load_n(&refused, __ATOMIC_RELAXED); }

bool vv_symbol_find(uintptr_t address, vv_symbol *symbol) {
  Dl_info found;
  if (!dladdr((void *)address, &found)) return false;
  symbol->image = found.dli_fname;
  symbol->name = found.dli_sname;
  symbol->image_base = (uintptr_t)found.dli_fbase;
  symbol->address = (uintptr_t)found.dli_saddr;
  return true;
}

extern char *swift_demangle(const char *mangled, size_t length, char *output, size_t *size,
                            uint32_t flags) __attribute__((weak));

char *vv_symbol_demangle(const char *mangled) {
  return swift_demangle ? swift_demangle(mangled, strlen(mangled), NULL, NULL, 0) : NULL;
}

void vv_symbol_free(char *name) { free(name); }

// MARK: Modules

#if defined(__linux__)
typedef struct {
  void (*visit)(const vv_module *module, void *context);
  void *context;
} visitor;

static uintptr_t aligned(uintptr_t bytes) { return (bytes + 3) & ~(uintptr_t)3; }

// A note consists of three words (the size of its name, the size of its content, and its type), the
// name and the content.
static void find_build_id(vv_module *module, const uint8_t *note, size_t bytes) {
  while (bytes >= 12) {
    uint32_t head[3];
    memcpy(head, note, sizeof head);
    uintptr_t content = 12 + aligned(head[0]), whole = content + aligned(head[1]);
    if (content > bytes || whole > bytes || whole < content) return;
    if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && memcmp(note + 12, "GNU", 4) == 0 &&
        head[1] <= VV_BUILD_ID_LARGEST) {
      module->build_id_bytes = head[1];
      memcpy(module->build_id, note + content, head[1]);
      return;
    }
    note += whole;
    bytes -= whole;
  }
}

static int look(struct dl_phdr_info *found, size_t size, void *context) {
  (void)size;
  const visitor *whom = context;
  char executable[4096];
  vv_module module = {.path = found->dlpi_name,
                      .bias = found->dlpi_addr,
                      .base = UINTPTR_MAX,
                      .start = UINTPTR_MAX};
  for (int index = 0; index < found->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &found->dlpi_phdr[index];
    uintptr_t start = found->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && start < module.base) module.base = start;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
      if (start < module.start) module.start = start;
      if (start + segment->p_memsz > module.end) module.end = start + segment->p_memsz;
    } else if (segment->p_type == PT_NOTE && module.build_id_bytes == 0) {
      find_build_id(&module, (const uint8_t *)start, segment->p_memsz);
    }
  }
  if (module.start >= module.end) return 0;
  module.base &= ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  if (!module.path || !*module.path) {
    vv_process_path(executable, sizeof executable);
    module.path = executable;
  }
  whom->visit(&module, whom->context);
  return 0;
}

void vv_modules_visit(void (*visit)(const vv_module *module, void *context), void *context) {
  visitor whom = {visit, context};
  dl_iterate_phdr(look, &whom);
}

static int count(struct dl_phdr_info *found, size_t size, void *context) {
  if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof found->dlpi_subs)
    *(uint64_t *)context = found->dlpi_adds + found->dlpi_subs;
  return 1;
}

uint64_t vv_modules_generation(void) {
  uint64_t generation = 0;
  dl_iterate_phdr(count, &generation);
  return generation;
}
#else
// On other systems, backtraces are stored without their modules.
void vv_modules_visit(void (*visit)(const vv_module *module, void *context), void *context) {
  (void)visit, (void)context;
}

uint64_t vv_modules_generation(void) { return 0; }
#endif
