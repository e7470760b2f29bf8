#ifndef CNCURSES_RESTORE_H
#define CNCURSES_RESTORE_H

// The saved modes of the terminal, in a place where a signal handler can restore them.

#include <stdbool.h>
#include <stddef.h>

// Saves the modes of the terminal `fd`. Returns false if it is not a terminal.
bool cnc_restore_save_modes(int fd);

// Restores the saved modes, unless the terminal now belongs to another job.
void cnc_restore_modes(void);

// Prepares the bytes that a dying process writes: they end attributes, keypad and alternate screen,
// show the cursor, and then contain `extra`. Needs terminfo, so call it when the screen is open.
void cnc_restore_prepare(const char *extra);

// Sets whether there is a screen to restore.
void cnc_restore_arm(bool armed);

// Writes all bytes to standard output, or gives up, since a closed terminal must not block the
// process.
void cnc_restore_write(const char *bytes, size_t count);

// Writes all bytes as cnc_restore_write does, but waits while an open terminal accepts no output,
// since bytes that ncurses regards as sent must not be missing on the screen.
void cnc_restore_write_frame(const char *bytes, size_t count);

#endif
