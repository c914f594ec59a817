#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_modules.h"

#if defined(__linux__)
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include "varve_process.h"

typedef struct {
  void (*visit)(const vv_module *module, void *context);
  void *context;
} visitor;

static uintptr_t aligned(uintptr_t bytes) { return (bytes + 3) & ~(uintptr_t)3; }

// A note is three words, the sizes of its name and of its content and its type, and then both.
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
// Elsewhere backtraces are kept without their modules.
void vv_modules_visit(void (*visit)(const vv_module *module, void *context), void *context) {
  (void)visit, (void)context;
}

uint64_t vv_modules_generation(void) { return 0; }
#endif
