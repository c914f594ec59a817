#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#endif
#include "varve_emit.h"
#include "varve_file.h"
#include "varve_pool.h"
#include "varve_samples.h"
#include "varve_signal.h"

#if defined(__APPLE__)

static bool find(uint64_t id, uint64_t *start, bool *is_zombie) {
  struct kinfo_proc found;
  size_t size = sizeof found;
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, (int)id};
  if (sysctl(name, 4, &found, &size, NULL, 0) != 0 || size == 0) return false;
  *start = (uint64_t)found.kp_proc.p_starttime.tv_sec * 1000000u +
           (uint64_t)found.kp_proc.p_starttime.tv_usec;
  *is_zombie = found.kp_proc.p_stat == SZOMB;
  return true;
}

static void read_boot(char *text, size_t size) {
  if (sysctlbyname("kern.bootsessionuuid", text, &size, NULL, 0) != 0) text[0] = 0;
}

void vv_process_path(char *path, uint64_t size) {
  uint32_t room = (uint32_t)size;
  if (_NSGetExecutablePath(path, &room) != 0) path[0] = 0;
}

#else

static size_t read_text(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? 0 : read(file, text, size - 1);
  if (file >= 0) close(file);
  text[count > 0 ? count : 0] = 0;
  return count > 0 ? (size_t)count : 0;
}

// Field 3 of /proc/PID/stat is the state, field 22 the start time. The name before them may contain
// anything, even closing parentheses; it ends at the last one.
static bool find(uint64_t id, uint64_t *start, bool *is_zombie) {
  char path[64], text[2048];
  snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)id);
  if (read_text(path, text, sizeof text) == 0) return false;
  const char *at = strrchr(text, ')');
  if (!at || at[1] != ' ') return false;
  at += 2;
  *is_zombie = *at == 'Z' || *at == 'X';
  for (int field = 3; field < 22 && at; field++) {
    at = strchr(at, ' ');
    if (at) at++;
  }
  if (!at) return false;
  *start = strtoull(at, NULL, 10);
  return true;
}

static void read_boot(char *text, size_t size) {
  read_text("/proc/sys/kernel/random/boot_id", text, size);
}

void vv_process_path(char *path, uint64_t size) {
  ssize_t count = readlink("/proc/self/exe", path, size - 1);
  path[count > 0 ? count : 0] = 0;
}

#endif

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static void find_boot(uint8_t boot[16]) {
  char text[64];
  read_boot(text, sizeof text);
  memset(boot, 0, 16);
  int nibble = 0;
  for (const char *at = text; *at && nibble < 32; at++)
    if (digit(*at) >= 0) boot[nibble / 2] |= (uint8_t)(digit(*at) << (nibble % 2 ? 0 : 4)), nibble++;
}

// The number of the pid namespace, unique while the namespace exists.
static uint64_t find_space(void) {
#if defined(__linux__)
  struct stat space;
  return stat("/proc/self/ns/pid", &space) == 0 ? (uint64_t)space.st_ino : 0;
#else
  return 0;
#endif
}

void vv_process_self(vv_process *process) {
  bool is_zombie;
  process->id = (uint64_t)getpid();
  if (!find(process->id, &process->start, &is_zombie)) process->start = 0;
  find_boot(process->boot);
  process->space = find_space();
}

vv_process_state vv_process_look(const vv_process *process) {
  uint8_t boot[16];
  find_boot(boot);
  if (memcmp(boot, process->boot, 16) != 0) return vv_process_gone;
  // If the pid namespace is not known, it is assumed to be this one.
  if (process->space && process->space != find_space()) return vv_process_out_of_sight;
  uint64_t start = 0;
  bool is_zombie = false;
  bool runs = find(process->id, &start, &is_zombie) && !is_zombie && start == process->start;
  return runs ? vv_process_running : vv_process_gone;
}

bool vv_process_is_self(const vv_process *process) {
  vv_process self;
  vv_process_self(&self);
  return self.id == process->id && self.start == process->start &&
         memcmp(self.boot, process->boot, 16) == 0 &&
         (!process->space || self.space == process->space);
}

void vv_process_watch_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  pthread_atfork(prepare, parent, child);
}

// The descriptors to close after a fork, each plus one; 0 marks a free entry.
static int own_files[16];

static void replace(int from, int to) {
  for (size_t index = 0; index < sizeof own_files / sizeof *own_files; index++) {
    int found = from;
    if (__atomic_compare_exchange_n(&own_files[index], &found, to, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      return;
  }
}

void vv_process_owns(int file) { replace(0, file + 1); }

void vv_process_close(int file) {
  replace(file + 1, 0);
  close(file);
}

void vv_process_forget_parent(void) {
  vv_gate_store(0);
  memset(&vv_thread_current()->writer, 0, sizeof(vv_writer));
  vv_sidecar_detach();
  for (size_t index = 0; index < sizeof own_files / sizeof *own_files; index++) {
    if (own_files[index]) close(own_files[index] - 1);
    own_files[index] = 0;
  }
  vv_pool_forget();
  vv_drain_forget();
  vv_samples_forget();
  vv_crash_unwatch();
  vv_attention_unwatch();
}

int vv_process_start_drain(void *(*run)(void *), void *context, void **thread) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_t made;
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&made, NULL, run, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0) *thread = (void *)made;
  return error;
}

void vv_process_join(void *thread) { pthread_join((pthread_t)thread, NULL); }

// MARK: The start

// Defined in VarveRecorder, which may not be linked: streams work without a recorder.
#if defined(__APPLE__)
#include <dlfcn.h>
static void (*recorder(void))(void) {
  return (void (*)(void))dlsym(RTLD_DEFAULT, "varve_recorder_start_from_environment");
}
static bool only_reads(void) {
  return dlsym(RTLD_DEFAULT, "varve_program_only_reads") != NULL;
}
#else
extern void varve_recorder_start_from_environment(void) __attribute__((weak));
static void (*recorder(void))(void) { return varve_recorder_start_from_environment; }
// Defined in programs that link the recorder only to read traces: the environment variable may name
// the very trace to be read.
extern void varve_program_only_reads(void) __attribute__((weak));
static bool only_reads(void) { return varve_program_only_reads != NULL; }
#endif

// Runs before `main`, after constructors with a priority (such as the clock's) and those of the
// libraries that the program is linked against.
__attribute__((constructor)) static void start_from_environment(void) {
  const char *path = getenv("VARVE_TRACE");
  void (*start)(void) = recorder();
  if (path && *path && start && !only_reads()) start();
}
