// Gives what a JSON list is written to (`.NAME.sheaf-new-SECRET`) a name that is known before, so
// that strace can be told to meet the calls on it. For LD_PRELOAD, by `known_drafts.py`; the
// program knows nothing of it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = ".sheaf-new-";

// The path with zeros in the place of the secret, in `room` if it has one.
static const char *known(const char *path, char room[4096]) {
    const char *found = strstr(path, mark);
    if (found == NULL || strlen(path) >= 4096) return path;
    strcpy(room, path);
    char *secret = room + (found - path) + strlen(mark);
    memset(secret, '0', strlen(secret));
    return room;
}

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    char room[4096];
    return NEXT(open)(known(path, room), flags, mode);
}

int rename(const char *from, const char *to) {
    char room[4096];
    return NEXT(rename)(known(from, room), to);
}

int unlink(const char *path) {
    char room[4096];
    return NEXT(unlink)(known(path, room));
}

int stat(const char *path, struct stat *status) {
    char room[4096];
    return NEXT(stat)(known(path, room), status);
}

int lstat(const char *path, struct stat *status) {
    char room[4096];
    return NEXT(lstat)(known(path, room), status);
}

// Either name may be that of the draft.
int renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
    char room[4096], space[4096];
    return NEXT(renameat2)(folder, known(from, room), other, known(to, space), flags);
}
