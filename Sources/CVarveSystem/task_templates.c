#include "task_state.h"

// Defined in VarveProbe, which may not be linked.
extern void varve_define_task_template(uint32_t number) __attribute__((weak));
extern void varve_define_stack(uint32_t number) __attribute__((weak));

void vv_stack_define_now(uint32_t number, uint32_t gate) {
  if (!varve_define_stack) return;
  varve_define_stack(number);
  vv_stack_mark_defined(&vv_stacks[number], gate >> 8);
}

// Untouched entries take no physical memory. Number 0 stands for none.
enum { templates_most = 16384, named_most = 12288, slots_count = 32768, probes_most = 64 };
static vv_task_template templates[templates_most + 1];
static uint32_t last = 0;
// A hash table from hash to number: the upper half of the hash, and the number below it.
static uint64_t slots[slots_count];

static uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xff51afd7ed558ccdull;
  return hash ^ hash >> 32;
}

static uint64_t hash_of(const vv_task_template *wanted) {
  uint64_t hash = mixed(0x9e3779b97f4a7c15ull, (uint64_t)wanted->stack << 16 |
                                                   (uint64_t)wanted->making << 8 | wanted->priority);
  for (uint32_t at = 0; at < wanted->name_bytes; at += 8) {
    uint64_t word = 0;
    uint32_t rest = wanted->name_bytes - at;
    memcpy(&word, wanted->name + at, rest < 8 ? rest : 8);
    hash = mixed(hash, word);
  }
  return hash | (uint64_t)1 << 63;
}

static bool is_same(const vv_task_template *one, const vv_task_template *other) {
  return one->hash == other->hash && one->stack == other->stack && one->making == other->making &&
         one->priority == other->priority && one->name_bytes == other->name_bytes &&
         memcmp(one->name, other->name, one->name_bytes) == 0;
}

static uint32_t keep(const vv_task_template *wanted) {
  uint32_t most = wanted->name_bytes ? named_most : templates_most;
  uint32_t known = __atomic_load_n(&last, __ATOMIC_RELAXED);
  do {
    if (known >= most) return 0;
  } while (!__atomic_compare_exchange_n(&last, &known, known + 1, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  templates[known + 1] = *wanted;
  return known + 1;
}

static uint32_t intern(const vv_task_template *wanted) {
  uint64_t tag = wanted->hash & 0xffffffff00000000ull;
  uint32_t kept = 0;
  for (uint32_t probe = 0; probe < probes_most; probe++) {
    uint64_t *slot = &slots[(wanted->hash + probe) % slots_count];
    uint64_t found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (found == 0) {
      if (!kept) kept = keep(wanted);
      if (!kept) return 0;
      if (__atomic_compare_exchange_n(slot, &found, tag | kept, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
        return kept;
    }
    if ((found & 0xffffffff00000000ull) == tag && is_same(&templates[(uint32_t)found], wanted))
      return (uint32_t)found;
  }
  return kept;
}

const vv_task_template *vv_task_template_at(uint32_t number) {
  return number != 0 && number <= __atomic_load_n(&last, __ATOMIC_RELAXED) ? &templates[number]
                                                                          : NULL;
}

// The templates that were asked for last.
enum { recent_count = 256 };
static uint32_t recent[recent_count];

static inline bool is_called(const vv_task_template *template, const char *name) {
  if (!name) return template->name_bytes == 0;
  uint32_t bytes = template->name_bytes;
  return bytes && strncmp(name, template->name, bytes) == 0 && name[bytes] == 0;
}

static uint32_t find(uint8_t making, uint8_t priority, const char *name, uint32_t stack,
                     uint32_t gate);

uint32_t vv_task_template_find(uint8_t making, uint8_t priority, const char *name, uint32_t stack,
                               uint32_t gate) {
  uint64_t key = (uint64_t)stack << 16 | (uint64_t)making << 8 | priority;
  uint64_t mixed_key = (key ^ (uintptr_t)name >> 3) * 0x9e3779b97f4a7c15ull;
  uint32_t *place = &recent[mixed_key >> 32 & (recent_count - 1)];
  uint32_t number = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  const vv_task_template *known = &templates[number];
  if (number && known->stack == stack && known->making == making && known->priority == priority &&
      __atomic_load_n(&known->session, __ATOMIC_ACQUIRE) == gate >> 8 && is_called(known, name))
    return number;
  number = find(making, priority, name, stack, gate);
  __atomic_store_n(place, number, __ATOMIC_RELEASE);
  return number;
}

static uint32_t find(uint8_t making, uint8_t priority, const char *name, uint32_t stack,
                     uint32_t gate) {
  vv_task_template wanted = {.stack = stack, .making = making, .priority = priority};
  if (name) {
    wanted.name_bytes = (uint8_t)strnlen(name, VV_TASK_NAME_LARGEST);
    // Characters are not split.
    while (wanted.name_bytes == VV_TASK_NAME_LARGEST && (name[wanted.name_bytes] & 0xc0) == 0x80)
      wanted.name_bytes--;
    memcpy(wanted.name, name, wanted.name_bytes);
  }
  wanted.hash = hash_of(&wanted);
  uint32_t number = intern(&wanted);
  if (!number && wanted.name_bytes) {
    wanted.name_bytes = 0;
    wanted.hash = hash_of(&wanted);
    number = intern(&wanted);
  }
  if (!number) return 0;
  vv_task_template *kept = &templates[number];
  if (__atomic_load_n(&kept->session, __ATOMIC_ACQUIRE) == gate >> 8) return number;
  vv_stack_define(stack, gate);
  if (varve_define_task_template) varve_define_task_template(number);
  __atomic_store_n(&kept->session, gate >> 8, __ATOMIC_RELEASE);
  return number;
}
