// The system's SQLite, as Debian's libsqlite3-dev and Apple's SDKs install it, with what Swift cannot
// say: constants that are casts, structures that begin with another, and what older versions lack.
#include <sqlite3.h>

/// A virtual table, and the object that it belongs to.
typedef struct varve_table {
  sqlite3_vtab base;
  void *owner;
} varve_table;

/// A cursor of a virtual table, and the object that moves it.
typedef struct varve_cursor {
  sqlite3_vtab_cursor base;
  void *owner;
} varve_cursor;

static inline int varve_bind_copied_text(sqlite3_stmt *statement, int place, const char *text, int count) {
  return sqlite3_bind_text(statement, place, text, count, SQLITE_TRANSIENT);
}

static inline void varve_result_copied_text(sqlite3_context *context, const char *text, int count) {
  sqlite3_result_text(context, text, count, SQLITE_TRANSIENT);
}

static inline void varve_result_copied_bytes(sqlite3_context *context, const void *bytes, int count) {
  sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
}

/// Where in a statement the last mistake is, in bytes; -1 when that is not known.
static inline int varve_error_offset(sqlite3 *database) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(database);
#else
  return -1;
#endif
}

/// Asks to receive all values of `column IN (…)` at once. Returns whether they come so.
static inline int varve_take_all_in(sqlite3_index_info *plan, int constraint) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in(plan, constraint, -1) && sqlite3_vtab_in(plan, constraint, 1);
#else
  return 0;
#endif
}

/// Moves to the first value of a list that came at once; NULL if there is none.
static inline sqlite3_value *varve_first_in(sqlite3_value *list) {
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value *found = 0;
  return sqlite3_vtab_in_first(list, &found) == SQLITE_OK ? found : 0;
#else
  return 0;
#endif
}

/// Moves to the next value of a list that came at once; NULL if there is none.
static inline sqlite3_value *varve_next_in(sqlite3_value *list) {
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value *found = 0;
  return sqlite3_vtab_in_next(list, &found) == SQLITE_OK ? found : 0;
#else
  return 0;
#endif
}
