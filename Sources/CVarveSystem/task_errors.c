#include "varve_follow.h"

#include <stddef.h>

/// What `swift_getErrorValue` finds: where the value lies, its type, and how that is an error.
typedef struct {
  const void *value, *type, *conformance;
} error_value;

typedef void (*value_of_error)(void *error, void **scratch, error_value *found);
typedef __attribute__((swiftcall)) vv_type_name (*name_of_type)(const void *type, bool is_qualified);

// Both functions are part of the runtime's ABI. A task fails seldom, and the runtime, which keeps the
// names of types, looks for the type's at the first time.
vv_type_name vv_task_error_type(void *error) {
  static void *value_of, *name_of;
  static const char unknown;
  if (!__atomic_load_n(&name_of, __ATOMIC_ACQUIRE)) {
    void *found = vv_tasks_find("swift_getErrorValue"), *named = vv_tasks_find("swift_getTypeName");
    __atomic_store_n(&value_of, found, __ATOMIC_RELAXED);
    __atomic_store_n(&name_of, found && named ? named : (void *)&unknown, __ATOMIC_RELEASE);
  }
  name_of_type name = (name_of_type)__atomic_load_n(&name_of, __ATOMIC_ACQUIRE);
  if ((const void *)name == &unknown) return (vv_type_name){"", 0};
  error_value found = {NULL, NULL, NULL};
  void *scratch = NULL;
  // Generic code may throw an error as a value of the type `any Error`, which holds another one.
  enum { existential = 0x303, depth_most = 4 };
  for (int depth = 0; depth < depth_most; depth++) {
    ((value_of_error)__atomic_load_n(&value_of, __ATOMIC_RELAXED))(error, &scratch, &found);
    if (!found.type) return (vv_type_name){"", 0};
    if (*(const uintptr_t *)found.type != existential) break;
    error = *(void *const *)found.value;
  }
  return name(found.type, false);
}
