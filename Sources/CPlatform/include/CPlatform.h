/* Functions of glibc and libdispatch that their Swift modules omit. */
#ifndef CPLATFORM_H
#define CPLATFORM_H

/* malloc_trim returns free memory to the system. */
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Waits until the main queue has work or, unless descriptor is negative, descriptor has input or
   has reached its end. Then does the work of the queue, and returns true if descriptor was ready.
   Call it repeatedly on the main thread. It exists because dispatch_main() serves the queue on
   other threads, which block signals. Child processes would inherit that mask, and a process could
   not stop itself with SIGTSTP before its next instruction. */
bool cplatform_serve_main_queue(int descriptor);

/* memmem(3): returns the first occurrence of needle in haystack, or NULL. glibc declares it only
   for GNU programs. */
const void *cplatform_memmem(const void *haystack, size_t length, const void *needle, size_t size);

/* rename(2) that fails with EEXIST if the new name exists. glibc declares renameat2 only for GNU
   programs. */
int cplatform_rename_to_new(const char *path, const char *name);

/* rename(2) that exchanges the names of two files in one step. */
int cplatform_exchange(const char *path, const char *other);

/* Copies the POSIX access control list of the file at a path to an open file. Returns 1 if the list
   exists, 0 if there is none, -1 if it could not be set. */
int cplatform_copy_access_list(const char *path, int descriptor);

/* Takes a shared lock on one byte of an open file or folder, until the last copy of the descriptor
   is closed. Returns 0, or -1 with errno. glibc declares locks of open files only for GNU
   programs. */
int cplatform_share_byte(int descriptor, int64_t offset);

/* Releases the lock of cplatform_share_byte. */
int cplatform_release_byte(int descriptor, int64_t offset);

/* Returns 1 if another open file has a lock on the byte, 0 if none has, or -1 with errno. */
int cplatform_is_byte_shared(int descriptor, int64_t offset);

/* Returns the creation time of an open file in seconds since 1970, or -1 if the file system does
   not record it. glibc declares statx only for GNU programs. */
double cplatform_birth_time(int descriptor);

#endif
