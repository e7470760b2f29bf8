#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/xattr.h>

/* libdispatch provides these for run loops, such as Foundation's, but no public header has them:
   an eventfd that is readable while the main queue has work, and the call that does that work. */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

bool cplatform_serve_main_queue(int descriptor) {
    int handle = _dispatch_get_main_queue_handle_4CF();
    struct pollfd entries[] = {
        {.fd = handle, .events = POLLIN},
        {.fd = descriptor, .events = POLLIN},
    };
    eventfd_t count;
    /* Signals interrupt the wait. An invalid handle could never become readable. */
    if (poll(entries, 2, -1) < 0) return false;
    if (entries[0].revents & POLLNVAL) abort();
    if (entries[0].revents) {
        eventfd_read(handle, &count);
        _dispatch_main_queue_callback_4CF(NULL);
    }
    return entries[1].revents != 0;
}

const void *cplatform_memmem(const void *haystack, size_t length, const void *needle, size_t size) {
    return memmem(haystack, length, needle, size);
}

int cplatform_rename_to_new(const char *path, const char *name) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE);
}

int cplatform_exchange(const char *path, const char *other) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE);
}

/* acl(5): the kernel stores the list as an extended attribute. */
static const char access_list[] = "system.posix_acl_access";

int cplatform_copy_access_list(const char *path, int descriptor) {
    ssize_t size = getxattr(path, access_list, NULL, 0);
    if (size < 0) return errno == ENODATA || errno == ENOTSUP ? 0 : -1;
    void *list = malloc((size_t)size + 1);
    if (list == NULL) return -1;
    size = getxattr(path, access_list, list, (size_t)size);
    int result = size > 0 && fsetxattr(descriptor, access_list, list, (size_t)size, 0) == 0 ? 1 : -1;
    free(list);
    return result;
}

double cplatform_birth_time(int descriptor) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status) < 0) return -1;
    if (!(status.stx_mask & STATX_BTIME)) return -1;
    return (double)status.stx_btime.tv_sec + status.stx_btime.tv_nsec / 1e9;
}

static int set_byte_lock(int descriptor, int64_t offset, int command, struct flock *lock,
                         short type) {
    *lock = (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(descriptor, command, lock);
}

int cplatform_share_byte(int descriptor, int64_t offset) {
    struct flock lock;
    return set_byte_lock(descriptor, offset, F_OFD_SETLK, &lock, F_RDLCK);
}

int cplatform_release_byte(int descriptor, int64_t offset) {
    struct flock lock;
    return set_byte_lock(descriptor, offset, F_OFD_SETLK, &lock, F_UNLCK);
}

int cplatform_is_byte_shared(int descriptor, int64_t offset) {
    struct flock lock;
    if (set_byte_lock(descriptor, offset, F_OFD_GETLK, &lock, F_WRLCK) != 0) return -1;
    return lock.l_type != F_UNLCK;
}
