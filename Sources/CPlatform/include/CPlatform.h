/* What glibc and libdispatch have and the Swift modules of them leave out. */
#ifndef CPLATFORM_H
#define CPLATFORM_H

/* malloc_trim gives free memory back to the system. */
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>

/* Waits until the main queue has work or descriptor, unless it is negative, something to read or an
   end; does the work of the queue; and returns whether it was the descriptor. To be called again
   and again on the main thread: dispatch_main() serves the queue on threads of its own, which block
   signals, so that children inherit that, and a process could not stop itself by SIGTSTP before its
   next instruction. */
bool cplatform_serve_main_queue(int descriptor);

/* Processors as bits, of the first 64. */
typedef uint64_t cplatform_processors;

/* The processor on which the calling thread runs, or none if it is not among the first 64. */
cplatform_processors cplatform_current_processor(void);

/* Moves the calling thread to a processor that is not among busy, if it may run on one, and returns
   where it is then, as cplatform_current_processor does. The system may move it again as ever. */
cplatform_processors cplatform_leave_processors(cplatform_processors busy);

/* rename(2) to a name that nothing may have: then it fails with EEXIST. glibc declares renameat2
   for GNU programs alone. */
int cplatform_rename_to_new(const char *path, const char *name);

#endif
