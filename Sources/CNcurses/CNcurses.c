#define _GNU_SOURCE 1
#define _XOPEN_SOURCE_EXTENDED 1
#define _DEFAULT_SOURCE 1
#define _DARWIN_C_SOURCE 1
#define _XOPEN_SOURCE 700

#include "CNcurses.h"

#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "CNcursesRestore.h"

// term.h defines a macro for the name of each capability.
#undef columns

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
// Reports buttons, the wheel and drags, in decimal numbers. Reports of other moves would wake the
// program for nothing.
#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

static bool can_report_mouse;

// Sets only LC_CTYPE, by which ncurses counts columns, so that numbers keep their decimal point.
static void use_utf8_locale(void) {
    static const char *const fallbacks[] = {"C.UTF-8", "en_US.UTF-8", "UTF-8"};
    setlocale(LC_CTYPE, "");
    for (size_t i = 0; i < sizeof fallbacks / sizeof *fallbacks; i++) {
        const char *codeset = nl_langinfo(CODESET);
        if (codeset && (!strcmp(codeset, "UTF-8") || !strcmp(codeset, "utf8"))) return;
        setlocale(LC_CTYPE, fallbacks[i]);
    }
}

static bool has_capability(const char *name) {
    const char *value = tigetstr(name);
    return value && value != (char *)-1;
}

int cnc_check(const char *terminal_type) {
    int status = 0;
    if (setupterm(terminal_type, STDOUT_FILENO, &status) != OK) {
        return status == 1 ? CNC_NO_CURSOR_ADDRESSING : CNC_UNKNOWN_TERMINAL;
    }
    return has_capability("cup") ? CNC_OPENED : CNC_NO_CURSOR_ADDRESSING;
}

// The maximum size of a screen. A terminal may report 65535 times 65535 cells, more than fit in
// memory.
enum { MOST_COLUMNS = 2000, MOST_ROWS = 1000 };

// Reads the size that the terminal reports. Returns false if it reports none, as on a serial line.
static bool full_size(struct winsize *size) {
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, size) == 0 && size->ws_col && size->ws_row;
}

// Reads the size of the terminal, cut to the maximum.
static bool terminal_size(int *columns, int *rows) {
    struct winsize size;
    if (!full_size(&size)) return false;
    *columns = size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS;
    *rows = size.ws_row < MOST_ROWS ? size.ws_row : MOST_ROWS;
    return true;
}

// Saves and restores an environment variable, since newterm sets LINES and COLUMNS, which the
// editor would inherit.
static char *saved(const char *name) {
    const char *value = getenv(name);
    return value ? strdup(value) : NULL;
}

static void restore(const char *name, char *value) {
    if (value) {
        setenv(name, value, true);
    } else {
        unsetenv(name);
    }
    free(value);
}

// The descriptor to which ncurses writes. It leads to the terminal, except during a frame.
static int output = -1;

static FILE *open_output(void) {
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    return output < 0 ? NULL : fdopen(output, "w");
}

int cnc_open(const char *terminal_type) {
    static const int owned_by_program[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    enum { count = sizeof owned_by_program / sizeof *owned_by_program };
    struct sigaction actions[count];

    use_utf8_locale();
    // LINES and COLUMNS count only if the terminal does not know its size. cnc_resize cuts a size
    // that is too large; until then ncurses uses the size of the terminal type.
    struct winsize size;
    bool has_size = full_size(&size);
    if (has_size) use_env(FALSE);
    // ncurses limits scrolling to the lines that it started with.
    use_tioctl(has_size && size.ws_col <= MOST_COLUMNS && size.ws_row <= MOST_ROWS);
    // This comes first because newterm ends the process for some unsuitable terminal types.
    int problem = cnc_check(terminal_type);
    if (problem != CNC_OPENED) return problem;
    // If the type has no size either, as "linux" has none, newterm would fail.
    if (has_size && (tigetnum("lines") <= 0 || tigetnum("cols") <= 0)) use_env(TRUE);
    if (!cnc_restore_save_modes(STDIN_FILENO)) return CNC_FAILED;

    for (int i = 0; i < count; i++) sigaction(owned_by_program[i], NULL, &actions[i]);
    FILE *terminal = open_output();
    char *height = saved("LINES"), *width = saved("COLUMNS");
    SCREEN *screen = terminal ? newterm(terminal_type, terminal, stdin) : NULL;
    restore("LINES", height);
    restore("COLUMNS", width);
    for (int i = 0; i < count; i++) sigaction(owned_by_program[i], &actions[i], NULL);
    if (!screen) return CNC_FAILED;

    set_term(screen);
    raw();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    scrollok(stdscr, FALSE);
    can_report_mouse = has_capability("kmous");
    cnc_restore_prepare(can_report_mouse ? PASTE_OFF MOUSE_OFF : PASTE_OFF);
    cnc_restore_arm(true);
    cnc_restore_write(PASTE_ON, sizeof PASTE_ON - 1);
    return CNC_OPENED;
}

void cnc_suspend(void) {
    curs_set(1);
    endwin();
    cnc_restore_write(PASTE_OFF, sizeof PASTE_OFF - 1);
    cnc_mouse(false);
    cnc_restore_modes();
    cnc_restore_arm(false);
}

void cnc_resume(void) {
    cnc_restore_save_modes(STDIN_FILENO);
    cnc_restore_arm(true);
    reset_prog_mode();
    cnc_restore_write(PASTE_ON, sizeof PASTE_ON - 1);
    cnc_redraw();
}

bool cnc_mouse(bool is_on) {
    if (!can_report_mouse) return false;
    if (is_on) {
        cnc_restore_write(MOUSE_ON, sizeof MOUSE_ON - 1);
    } else {
        cnc_restore_write(MOUSE_OFF, sizeof MOUSE_OFF - 1);
    }
    return is_on;
}

bool cnc_has_clipboard(void) { return has_capability("Ms"); }

void cnc_send(const uint8_t *bytes, size_t count) {
    cnc_restore_write((const char *)bytes, count);
}

void cnc_resize(int *columns, int *rows) {
    int width, height;
    // If the size is unknown, ncurses uses that of the terminal type.
    if (terminal_size(&width, &height) && (height != LINES || width != COLS)) {
        resizeterm(height, width);
    }
    cnc_redraw();
    *columns = COLS;
    *rows = LINES;
}

void cnc_redraw(void) { clearok(curscr, TRUE); }

void cnc_erase_row(int row) {
    attr_set(A_NORMAL, 0, NULL);
    if (wmove(stdscr, row, 0) == OK) wclrtoeol(stdscr);
}

static attr_t native(uint32_t attributes) {
    attr_t result = A_NORMAL;
    if (attributes & CNC_BOLD) result |= A_BOLD;
    if (attributes & CNC_DIM) result |= A_DIM;
    if (attributes & CNC_UNDERLINE) result |= A_UNDERLINE;
    if (attributes & CNC_REVERSE) result |= A_REVERSE;
#ifdef A_ITALIC
    if (attributes & CNC_ITALIC) result |= A_ITALIC;
#endif
    return result;
}

void cnc_put_ascii(
    int row, int column, const uint8_t *bytes, int count, uint32_t attributes, int pair) {
    attr_set(native(attributes), (short)pair, NULL);
    mvaddnstr(row, column, (const char *)bytes, count);
}

void cnc_put_glyph(
    int row, int column, int columns, const uint32_t *points, int count, uint32_t attributes,
    int pair) {
    wchar_t text[CCHARW_MAX + 1] = {0};
    int length = 0;
    bool agreed = count > 0 && wcwidth((wchar_t)points[0]) == columns;
    if (agreed) {
        text[length++] = (wchar_t)points[0];
        for (int i = 1; i < count && length < CCHARW_MAX; i++) {
            if (wcwidth((wchar_t)points[i]) == 0) text[length++] = (wchar_t)points[i];
        }
    } else {
        // U+FFFD itself has no width if no UTF-8 locale is installed.
        text[length++] = wcwidth(0xfffd) == 1 ? 0xfffd : L'?';
    }
    // ncurses adds the window's own attributes and colors to a cell without a pair.
    attr_set(A_NORMAL, 0, NULL);
    cchar_t cell;
    setcchar(&cell, text, native(attributes), (short)pair, NULL);
    mvadd_wch(row, column, &cell);
    if (!agreed && columns == 2) {
        cnc_put_ascii(row, column + 1, (const uint8_t *)" ", 1, attributes, pair);
    }
}

void cnc_cursor(int row, int column, bool is_visible) {
    if (row >= 0) wmove(stdscr, row, column);
    curs_set(is_visible ? 1 : 0);
}

// ncurses writes once for each place to which it moves the cursor. So a frame is collected in
// memory and written at once: the terminal wakes once, and never shows part of a frame.
#ifdef __linux__
static int frame = -1;

static bool begin_frame(void) {
    // The first frame after a suspension also sets the terminal's modes.
    if (isendwin()) return false;
    // The system regards the frame as a file, so bytes beyond the limit for files would be lost.
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return false;
    if (frame < 0) frame = memfd_create("frame", MFD_CLOEXEC);
    return frame >= 0 && lseek(frame, 0, SEEK_SET) == 0 && dup3(frame, output, O_CLOEXEC) >= 0;
}

// Removes the sequences that leave the alternate character set, and returns the number of bytes
// that remain. On xterm and similar terminals ncurses sends one with every change of style, a
// seventh of all bytes, although no character of that set is ever drawn.
static size_t without_character_sets(char *bytes, size_t count) {
    static const char leaving[] = "\033(B";
    enum { length = sizeof leaving - 1 };
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        if (count - i >= length && !memcmp(bytes + i, leaving, length)) {
            i += length;
        } else {
            bytes[kept++] = bytes[i++];
        }
    }
    return kept;
}

static void end_frame(void) {
    static char bytes[1 << 16];
    dup3(STDOUT_FILENO, output, O_CLOEXEC);
    off_t end = lseek(frame, 0, SEEK_CUR);
    // The end of a piece may cut a sequence, which is then sent unchanged.
    for (off_t start = 0; start < end;) {
        size_t rest = (size_t)(end - start);
        ssize_t count = pread(frame, bytes, rest < sizeof bytes ? rest : sizeof bytes, start);
        if (count <= 0) return;
        start += count;
        cnc_restore_write_frame(bytes, without_character_sets(bytes, (size_t)count));
    }
}
#else
static bool begin_frame(void) { return false; }
static void end_frame(void) {}
#endif

void cnc_flush(void) {
    wnoutrefresh(stdscr);
    bool is_collected = begin_frame();
    doupdate();
    if (is_collected) end_frame();
}

int cnc_start_color(bool *has_default, int *pairs) {
    *has_default = false;
    *pairs = 0;
    if (!has_colors() || start_color() == ERR) return 0;
    *has_default = use_default_colors() == OK;
    // A cell's pair is a short.
    *pairs = COLOR_PAIRS > 32767 ? 32767 : COLOR_PAIRS;
    return COLORS;
}

void cnc_define_pair(int pair, int foreground, int background) {
    init_pair((short)pair, (short)foreground, (short)background);
}

void cnc_bell(void) { beep(); }
