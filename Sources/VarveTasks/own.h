#pragma once
#include "varve_tasks.h"

// What the files of this library share.
#define VARVE_OWN __attribute__((visibility("hidden")))

/// The follower that was attached, or null.
VARVE_OWN const varve_task_follower *varve_tasks_follower(void);

/// Opens the recorder for programs that have none, unless that was done; it attaches itself. Does
/// nothing in a program that links this library, which has its own.
VARVE_OWN void varve_tasks_open_recorder(void);

/// Leaves the runtime's variables to the recorder that is about to be attached.
VARVE_OWN void varve_tasks_leave_variables(void);

/// Returns the function behind one of this library's of the same name; ends the program if there is
/// none. Also finds it in a program that loads Swift late, for a plug-in alone (`RTLD_LOCAL`).
VARVE_OWN void *varve_tasks_next(const char *name);

// Preloaded, the library comes before all others. Linked into a program, its functions are weak: in one
// whose runtime is linked into it, too, those of the runtime stay.
#if defined(VARVE_PRELOADED)
#define VARVE_IN_FRONT __attribute__((visibility("default")))
#else
#define VARVE_IN_FRONT __attribute__((visibility("default"), weak))
#endif
