/* What glibc and libdispatch have and the Swift modules of them leave out. */
#ifndef CPLATFORM_H
#define CPLATFORM_H

/* malloc_trim gives free memory back to the system. */
#include <malloc.h>

/* Serves the main queue on the calling thread, which has to be the main one, and never returns.
   dispatch_main() serves it on threads of its own, which block signals: children inherit that, and
   a process could not stop itself by SIGTSTP before its next instruction. */
_Noreturn void cplatform_serve_main_queue(void);

/* rename(2) to a name that nothing may have: then it fails with EEXIST. glibc declares renameat2
   for GNU programs alone. */
int cplatform_rename_to_new(const char *path, const char *name);

#endif
