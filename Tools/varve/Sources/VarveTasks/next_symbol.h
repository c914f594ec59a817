#pragma once

/// Returns the function behind one of this library's of the same name; ends the program if there is
/// none. Also finds it in a program that loads Swift late, for a plug-in alone (`RTLD_LOCAL`).
__attribute__((visibility("hidden"))) void *varve_tasks_next(const char *name);
