/* What glibc and libdispatch have and the Swift modules of them leave out. */
#ifndef CPLATFORM_H
#define CPLATFORM_H

/* malloc_trim gives free memory back to the system. */
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>

/* Waits until the main queue has work or descriptor, unless it is negative, something to read or an
   end; does the work of the queue; and returns whether it was the descriptor. To be called again
   and again on the main thread: dispatch_main() serves the queue on threads of its own, which block
   signals, so that children inherit that, and a process could not stop itself by SIGTSTP before its
   next instruction. */
bool cplatform_serve_main_queue(int descriptor);

/* memmem(3): where needle stands first in haystack, or NULL. glibc declares it for GNU programs
   alone. */
const void *cplatform_memmem(const void *haystack, size_t length, const void *needle, size_t size);

/* rename(2) to a name that nothing may have: then it fails with EEXIST. glibc declares renameat2
   for GNU programs alone. */
int cplatform_rename_to_new(const char *path, const char *name);

/* rename(2) that gives each of two files the name of the other in one step. */
int cplatform_exchange(const char *path, const char *other);

/* Gives an open file the POSIX access control list of the file at a path. Returns 1 if that has one,
   0 if it has none, -1 if it could not be set. */
int cplatform_copy_access_list(const char *path, int descriptor);

/* The time at which an open file was made, in seconds since 1970, or -1 if the file system does not
   know it. glibc declares statx for GNU programs alone. */
double cplatform_birth_time(int descriptor);

#endif
