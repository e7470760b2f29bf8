#include "CBytes.h"

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#else
#define WIDE
#endif

/* A byte for each text, or for each a comparison: all bits or none. */
typedef uint8_t lanes __attribute__((ext_vector_type(CBYTES_LANES)));
typedef int8_t signed_lanes __attribute__((ext_vector_type(CBYTES_LANES)));

bool cbytes_has_lanes(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/* The first eight bytes of each half of `a` and `b`, interleaved, and the last eight. */
WIDE static inline lanes interleave_first(lanes a, lanes b) {
    return __builtin_shufflevector(
        a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19,
        51, 20, 52, 21, 53, 22, 54, 23, 55);
}

WIDE static inline lanes interleave_last(lanes a, lanes b) {
    return __builtin_shufflevector(
        a, b, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58,
        27, 59, 28, 60, 29, 61, 30, 62, 31, 63);
}

/* Makes columns of 16 rows, in both halves of the vectors: four perfect shuffles
   suffice. */
WIDE static inline void transpose(lanes *rows) {
    for (int round = 0; round < 4; round++) {
        lanes next[16];
        for (int index = 0; index < 8; index++) {
            next[2 * index] = interleave_first(rows[index], rows[index + 8]);
            next[2 * index + 1] = interleave_last(rows[index], rows[index + 8]);
        }
        memcpy(rows, next, sizeof next);
    }
}

/* A text for each lane, empty in those that are not used, and how long the longest is. */
struct texts {
    const uint8_t *starts[CBYTES_LANES];
    uint8_t lengths[CBYTES_LANES];
    size_t longest;
    /* Of those that stand where the memory ends, copies with room behind them. */
    uint8_t copies[CBYTES_LANES][CBYTES_LANE_BYTES + 1];
};

/* 16 columns of the texts, from byte `start` of each on, also where a text has ended. */
WIDE static inline void load(const struct texts *texts, size_t start, lanes *columns) {
    _Pragma("clang loop unroll(full)") for (size_t text = 0; text < 16; text++) {
        cbytes_16 first = cbytes_load(texts->starts[text] + start);
        cbytes_16 second = cbytes_load(texts->starts[text + 16] + start);
        columns[text] = __builtin_shufflevector(
            first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
            21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    }
    transpose(columns);
}

/* The points for a letter that is found. */
enum { matched = 16, consecutive = 4 };

/* What a letter is worth for where it stands, after a byte: see LetterKind. */
WIDE static inline lanes bonus_after(lanes before) {
    lanes is_space = (lanes)((before == ' ') | (before - 9 < 5));
    lanes is_delimiter = (lanes)((before == '/') | (before == ',') | (before == ':')
        | (before == ';') | (before == '|'));
    lanes is_in_word
        = (lanes)(((before | 0x20) - 'a' < 26) | (before - '0' < 10) | (before >= 0x80));
    return (~is_in_word & 8) + (is_space & 2) + (is_delimiter & 1);
}

/* The texts that are looked through next, where long ones lie side by side. Their memory is fetched a
   few lines at a time: more than a processor can ask for at once would be waited for. */
struct ahead {
    const uint8_t *bytes;
    /* How many lines with each 16 columns. */
    size_t lines;
};

enum { line_bytes = 64 };

/* Of those at `rows`, unless few are wanted of many: then most of the memory would be of no use. */
static inline struct ahead ahead_of(
    const struct texts *texts, const uint8_t *bytes, const uint32_t *ends, const uint8_t *rows,
    size_t count) {
    struct ahead ahead = {bytes, 0};
    if (count == 0 || (size_t)(rows[count - 1] - rows[0]) >= 2 * count) return ahead;
    /* Short ones lie so close together that processors fetch them ahead, and between others there
       may be some that are too long. */
    uint32_t start = rows[0] > 0 ? ends[rows[0] - 1] : 0;
    size_t length = ends[rows[count - 1]] - start;
    if (length < line_bytes * count || length > 2 * CBYTES_LANE_BYTES * count) return ahead;
    ahead.bytes += start;
    ahead.lines = length / line_bytes / (texts->longest / 16 + 1) + 1;
    return ahead;
}

/* A letter of the word in all texts, up to a column. */
struct letter {
    /* The most points that can be had, and what the next column costs of them. */
    lanes points, gap;
    /* Whether it has been found after those before it. */
    lanes is_reached;
    /* Where a row of letters ends, what the first of them got; otherwise nothing. */
    lanes first;
};

/* The points of the word in each text, 0 where its letters are not all there in order. `own` and
   `first` stay below 128, so that they can be compared as signed numbers: AVX2 has no others. */
WIDE static inline lanes points_in(
    const struct texts *texts, const uint8_t *word, size_t letters, struct ahead ahead) {
    struct letter all[CBYTES_LANE_LETTERS] = {0};
    lanes ends, before = ' ', best = 0;
    memcpy(&ends, texts->lengths, sizeof ends);
    for (size_t start = 0; start < texts->longest; start += 16) {
        lanes columns[16];
        load(texts, start, columns);
        for (size_t count = ahead.lines; count > 0; count--, ahead.bytes += line_bytes)
            cbytes_prefetch(ahead.bytes);
        for (size_t column = start; column < texts->longest && column < start + 16; column++) {
            /* After the end comes what is in no word. */
            lanes here = columns[column - start] | ~(lanes)(ends > (uint8_t)column);
            lanes bonus = bonus_after(before), own = bonus + matched;
            before = here;
            /* The last letter first: the one before it is still that of the column before. */
            for (size_t index = letters; index-- > 0;) {
                struct letter *letter = &all[index];
                lanes is_found = (lanes)(here == word[index]), first = own, found = own + bonus;
                if (index > 0) {
                    const struct letter *above = letter - 1;
                    is_found &= above->is_reached;
                    /* Where a letter is worth more than the first of the row before it, a new row
                       begins, and after a gap. */
                    lanes begins = (lanes)((signed_lanes)own > (signed_lanes)above->first);
                    first = __builtin_elementwise_max(own, above->first);
                    found = above->points
                        + __builtin_elementwise_max(first, ~begins & (matched + consecutive));
                }
                letter->is_reached |= is_found;
                found &= is_found;
                lanes passed = __builtin_elementwise_sub_sat(letter->points, letter->gap);
                letter->points = __builtin_elementwise_max(found, passed);
                lanes is_run = is_found & (lanes)(letter->points == found);
                letter->first = is_run & first;
                /* A gap costs 3 points where it begins, and 1 for every byte more. */
                letter->gap = (is_run & 2) + 1;
            }
            best = __builtin_elementwise_max(best, all[letters - 1].points);
        }
    }
    return best & all[letters - 1].is_reached;
}

/* Takes some of the texts that stand in a row. */
static inline void take(
    struct texts *texts, const uint8_t *bytes, const uint32_t *ends, size_t count,
    const uint8_t *rows, size_t taken) {
    uint32_t last = 0;
    texts->longest = 0;
    for (size_t lane = 0; lane < CBYTES_LANES; lane++) {
        uint32_t start = 0, length = 0;
        if (lane < taken) {
            uint8_t row = rows[lane];
            start = row > 0 ? ends[row - 1] : 0;
            length = ends[row] - start;
        }
        texts->starts[lane] = bytes + start;
        texts->lengths[lane] = (uint8_t)length;
        if (length > texts->longest) texts->longest = length;
        if (start > last) last = start;
    }
    if (last + texts->longest + 16 <= ends[count - 1]) return;
    for (size_t lane = 0; lane < CBYTES_LANES; lane++) {
        memcpy(texts->copies[lane], texts->starts[lane], texts->lengths[lane]);
        texts->starts[lane] = texts->copies[lane];
    }
}

WIDE void cbytes_lane_points(
    const uint8_t *bytes, const uint32_t *ends, size_t count, const uint8_t *rows, size_t chosen,
    const uint8_t *word, size_t letters, uint8_t *points) {
    for (size_t start = 0; start < chosen; start += CBYTES_LANES) {
        size_t rest = chosen - start, taken = rest < CBYTES_LANES ? rest : CBYTES_LANES;
        struct texts texts;
        take(&texts, bytes, ends, count, rows + start, taken);
        rest -= taken;
        struct ahead ahead = ahead_of(
            &texts, bytes, ends, rows + start + taken, rest < CBYTES_LANES ? rest : CBYTES_LANES);
        lanes found = points_in(&texts, word, letters, ahead);
        for (size_t lane = 0; lane < taken; lane++) points[rows[start + lane]] = found[lane];
    }
}
