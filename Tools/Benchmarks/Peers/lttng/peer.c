// Emits events into LTTng as fast as it can: peer integer|text EVENTS THREADS. Prints the CPU time of
// the emitting threads for an event, in nanoseconds.
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "peer_events.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long events;
static int is_text;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void *emit(void *result) {
  char text[] = "item number 00000000";
  uint32_t stream = 0;
  // The first event of a thread sets its buffers up.
  lttng_ust_tracepoint(varve_peer, integer, 0, 4, -1);
  double began = now();
  for (long event = 0; event < events; event++) {
    if (is_text) {
      // The last digits count up.
      for (int place = 19; place > 11; place--) {
        if (text[place]++ < '9') break;
        text[place] = '0';
      }
      lttng_ust_tracepoint(varve_peer, text, stream, 4, text);
    } else {
      lttng_ust_tracepoint(varve_peer, integer, stream, 4, event);
    }
    stream = stream == 19 ? 0 : stream + 1;
  }
  *(double *)result = (now() - began) / (double)events;
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  is_text = strcmp(arguments[1], "text") == 0;
  events = atol(arguments[2]);
  int threads = atoi(arguments[3]);
  pthread_t handles[16];
  double costs[16], sum = 0;
  for (int thread = 0; thread < threads; thread++)
    pthread_create(&handles[thread], NULL, emit, &costs[thread]);
  for (int thread = 0; thread < threads; thread++) {
    pthread_join(handles[thread], NULL);
    sum += costs[thread];
  }
  printf("%.2f\n", sum / threads);
  return 0;
}
