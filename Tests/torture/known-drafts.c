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

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static const char mark[] = ".sheaf-new-";

static int exists(const char *path) {
    struct stat status;
    return NEXT(lstat)(path, &status) == 0;
}

// The path with zeros in the place of the secret, in `room` if it has one. A file that has its own
// name keeps it: see `open`.
static const char *known(const char *path, char room[4096]) {
    const char *found = strstr(path, mark);
    if (found == NULL || strlen(path) >= 4096 || exists(path)) return path;
    strcpy(room, path);
    char *secret = room + (found - path) + strlen(mark);
    memset(secret, '0', strlen(secret));
    return room;
}

// Gives a second file its own name while the first one is left, because its removal failed.
int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    char room[4096];
    const char *name = known(path, room);
    return NEXT(open)(flags & O_EXCL && name == room && exists(name) ? path : name, flags, mode);
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
