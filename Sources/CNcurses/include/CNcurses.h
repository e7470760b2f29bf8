#ifndef CNCURSES_H
#define CNCURSES_H

// The parts of ncurses that Swift needs but cannot import directly. curses.h declares the screen's
// state as global variables (stdscr, LINES, COLS), which Swift 6 rejects because of data races. Its
// attributes and accessors are macros that Swift does not import. So this header includes no header
// of curses, and each function names the obstacle that it works around. All functions belong to the
// thread that called cnc_open.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The attributes of a cell. A_BOLD and similar names are macros with a cast, which Swift does not
// import.
enum {
    CNC_BOLD = 1,
    CNC_DIM = 2,
    CNC_ITALIC = 4,
    CNC_UNDERLINE = 8,
    CNC_REVERSE = 16,
};

// The results of cnc_open.
enum {
    CNC_OPENED = 0,
    CNC_UNKNOWN_TERMINAL = 1,
    CNC_NO_CURSOR_ADDRESSING = 2,
    CNC_FAILED = 3,
};

// Returns the result that cnc_open would have for the terminal type, without touching the terminal.
// Here because the macros and global variables of setupterm are not imported.
int cnc_check(const char *terminal_type);

// Opens the screen on standard input and output: alternate screen, raw keys, no echo, bracketed
// paste. Here because newterm takes FILE variables (stdin and stdout are globals), because the
// terminal's modes must be saved where the trap handler can reach them, and because newterm takes
// over signals that belong to the program.
int cnc_open(const char *terminal_type);

// Leaves the screen and restores the terminal's original modes. cnc_resume opens it again. Here
// because ncurses restores its own idea of the modes, and this function restores the saved ones.
void cnc_suspend(void);

// Restores the terminal's modes while another thread is blocked in a write to it. Does not wait.
void cnc_abandon(void);

// Reopens the terminal after cnc_suspend, and saves its current modes to restore them next time.
void cnc_resume(void);

// Turns the terminal's mouse reports on or off, and returns whether they are on. They stay off if
// the terminal type lacks kmous. ncurses is not informed, because it only draws. cnc_suspend and
// every signal that ends the process turn the reports off. Here because tigetstr is declared in
// term.h, which defines macros for all capability names.
bool cnc_mouse(bool is_on);

// Returns true if the terminal type has Ms, that is, accepts text for the clipboard. Here because
// of tigetstr.
bool cnc_has_clipboard(void);

// Sends bytes between two frames, and continues after interrupting signals. Here because the trap
// handler has to do the same.
void cnc_send(const uint8_t *bytes, size_t count);

// Reads the size of the terminal and resizes the screen to it. Here because of struct winsize,
// LINES and COLS.
void cnc_resize(int *columns, int *rows);

// Makes the next cnc_flush redraw everything. Here because curscr is a global.
void cnc_redraw(void);

// Blanks a row. Here because stdscr is a global, like the next three functions.
void cnc_erase_row(int row);

// Draws printable ASCII, one column each.
void cnc_put_ascii(
    int row, int column, const uint8_t *bytes, int count, uint32_t attributes, int pair);

// Draws one glyph: a base of `columns` columns and its marks. ncurses takes widths from the tables
// of the C library. If these disagree with the caller about the width, a replacement of the
// caller's width is drawn, so that the rest of the row stays in its place. Here because cchar_t is
// opaque to Swift.
void cnc_put_glyph(
    int row, int column, int columns, const uint32_t *points, int count, uint32_t attributes,
    int pair);

// Places the cursor, unless `row` is below 0, and shows or hides it.
void cnc_cursor(int row, int column, bool is_visible);

// Sends all changes with one doupdate.
void cnc_flush(void);

// Starts color support. Returns the number of available colors, 0 if there are none.
// `has_default` is set to true if pairs may use -1, the terminal's own color. Here because COLORS
// is a global.
int cnc_start_color(bool *has_default, int *pairs);

// Defines a pair of colors.
void cnc_define_pair(int pair, int foreground, int background);

// Rings or flashes.
void cnc_bell(void);

// Installs handlers, so that every signal that would end the process, including traps and crashes,
// restores an open screen first. Signals that the process already handles or ignores are unchanged,
// except for traps (SIGSEGV, SIGILL, SIGABRT, SIGTRAP, SIGBUS, SIGFPE), for which the existing
// handler runs second. In C because no Swift code may run in a signal handler.
void cnc_install_signal_handlers(void);

#ifdef __cplusplus
}
#endif

#endif
