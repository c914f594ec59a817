#include "varve_follow.h"

#include <stddef.h>

/// What `swift_getErrorValue` finds: where the value lies, its type, and how that is an error.
typedef struct {
  const void *value, *type, *conformance;
} error_value;

typedef void (*value_of_error)(void *error, void **scratch, error_value *found);
typedef __attribute__((swiftcall)) vv_type_name (*name_of_type)(const void *type, bool is_qualified);

// Returns a function of the runtime's ABI, looked up at the first time.
static void *function(void **known, const char *name) {
  static const char missing;
  void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (!found) {
    found = vv_tasks_find(name);
    __atomic_store_n(known, found ? found : (void *)&missing, __ATOMIC_RELAXED);
  }
  return found == &missing ? NULL : found;
}

vv_type_name vv_type_name_of(const void *type) {
  static void *known;
  name_of_type name = (name_of_type)function(&known, "swift_getTypeName");
  return name ? name(type, false) : (vv_type_name){"", 0};
}

// A task fails seldom; the runtime looks for a type's name at the first time, and keeps it.
vv_type_name vv_task_error_type(void *error) {
  static void *known;
  value_of_error value = (value_of_error)function(&known, "swift_getErrorValue");
  error_value found = {NULL, NULL, NULL};
  void *scratch = NULL;
  // Generic code may throw an error as a value of the type `any Error`, which holds another one.
  enum { existential = 0x303, depth_most = 4 };
  for (int depth = 0; value && depth < depth_most; depth++) {
    value(error, &scratch, &found);
    if (!found.type || *(const uintptr_t *)found.type != existential) break;
    error = *(void *const *)found.value;
  }
  return found.type ? vv_type_name_of(found.type) : (vv_type_name){"", 0};
}
