#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/xattr.h>

/* What libdispatch offers to run loops, Foundation's among them, and declares in no public header:
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
    /* Signals interrupt the wait. Without the handle there is nothing to wait for. */
    if (poll(entries, 2, -1) < 0) return false;
    if (entries[0].revents & POLLNVAL) abort();
    if (entries[0].revents) {
        eventfd_read(handle, &count);
        _dispatch_main_queue_callback_4CF(NULL);
    }
    return entries[1].revents != 0;
}

cplatform_processors cplatform_current_processor(void) {
    int processor = sched_getcpu();
    return processor >= 0 && processor < 64 ? UINT64_C(1) << processor : 0;
}

cplatform_processors cplatform_allowed_processors(void) {
    cpu_set_t allowed;
    cplatform_processors processors = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
    for (int processor = 0; processor < 64; processor++)
        if (CPU_ISSET(processor, &allowed)) processors |= UINT64_C(1) << processor;
    return processors;
}

bool cplatform_move_to_processor(cplatform_processors processor) {
    cpu_set_t allowed, one;
    if (processor == 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
    CPU_ZERO(&one);
    CPU_SET(__builtin_ctzll(processor), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return false;
    /* The thread has moved when the call returns. Where the processors that it may use have become
       others since, it may use all of those. */
    if (sched_setaffinity(0, sizeof allowed, &allowed) != 0) {
        memset(&allowed, 0xFF, sizeof allowed);
        sched_setaffinity(0, sizeof allowed, &allowed);
    }
    return true;
}

int cplatform_rename_to_new(const char *path, const char *name) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE);
}

int cplatform_exchange(const char *path, const char *other) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE);
}

/* acl(5): the kernel keeps the list as an extended attribute. */
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
