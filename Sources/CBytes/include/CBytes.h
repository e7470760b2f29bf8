/* What vectors of bytes can do and Swift's cannot: make a number of a comparison, and be as wide as
   the processor has them. */
#ifndef CBYTES_H
#define CBYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t cbytes_16 __attribute__((ext_vector_type(16)));
typedef char cbytes_comparisons __attribute__((ext_vector_type(16)));
typedef _Bool cbytes_bits_16 __attribute__((ext_vector_type(16)));

/* A bit for each of 16 comparisons, the lowest for the first. */
static inline uint64_t cbytes_bits_of(cbytes_comparisons comparisons) {
    cbytes_bits_16 bits = __builtin_convertvector(comparisons, cbytes_bits_16);
    uint16_t number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline cbytes_16 cbytes_load(const uint8_t *bytes) {
    cbytes_16 vector;
    memcpy(&vector, bytes, sizeof vector);
    return vector;
}

/* At which of `count` bytes, 64 at most, one stands that is `first` or up to `span` more: a bit for
   each. Nothing beyond them is read. */
static inline uint64_t cbytes_places_of_range(
    const uint8_t *bytes, size_t count, uint8_t first, uint8_t span) {
    uint64_t places = 0;
    if (count < 16) {
        for (size_t index = 0; index < count; index++)
            places |= (uint64_t)((uint8_t)(bytes[index] - first) <= span) << index;
        return places;
    }
    for (size_t index = 0; index + 16 <= count; index += 16)
        places |= cbytes_bits_of(cbytes_load(bytes + index) - first <= span) << index;
    /* The last 16 again, which end where the bytes do. */
    return places | cbytes_bits_of(cbytes_load(bytes + count - 16) - first <= span) << (count - 16);
}

/* At which of them `byte` stands. */
static inline uint64_t cbytes_places(const uint8_t *bytes, size_t count, uint8_t byte) {
    return cbytes_places_of_range(bytes, count, byte, 0);
}

/* At which of the up to 64 of `count` bytes that are block number `block` each byte of a word stands:
   a number for each. */
static inline void cbytes_places_of_word(
    const uint8_t *bytes, size_t count, size_t block, const uint8_t *word, size_t letters,
    uint64_t *places) {
    size_t start = 64 * block, before = 0;
    if (count - start < 64 && count >= 64) {
        /* The last 64 bytes, without those of the block before. */
        before = 64 - (count - start);
        start = count - 64;
    }
    size_t length = count - start < 64 ? count - start : 64;
    if (length < 16) {
        for (size_t letter = 0; letter < letters; letter++)
            places[letter] = cbytes_places(bytes + start, length, word[letter]);
        return;
    }
    /* Four vectors always: a branch that cannot be foreseen takes longer than to look at some bytes
       twice. */
    cbytes_16 vectors[4];
    size_t starts[4];
    for (size_t index = 0; index < 4; index++) {
        starts[index] = 16 * index < length - 16 ? 16 * index : length - 16;
        vectors[index] = cbytes_load(bytes + start + starts[index]);
    }
    for (size_t letter = 0; letter < letters; letter++) {
        uint64_t found = 0;
        for (size_t index = 0; index < 4; index++)
            found |= cbytes_bits_of(vectors[index] == word[letter]) << starts[index];
        places[letter] = found >> before;
    }
}

/* Has the memory at an address fetched, which need not be there. */
static inline void cbytes_prefetch(const void *address) { __builtin_prefetch(address); }

/* So many texts are looked through at once, a byte of a vector for each. */
#define CBYTES_LANES 32
/* The most letters of a word, since a byte holds no more points, and the most bytes of a text. */
#define CBYTES_LANE_LETTERS 9
#define CBYTES_LANE_BYTES 255

/* Whether the processor has vectors for that, without which one text after the other takes less
   time. */
bool cbytes_has_lanes(void);

/* The points of fzf's algorithm for a word in some of up to 256 texts, which stand in a row: for each
   of these `rows`, 0 where the letters are not all there in order. Other points are left as they are.
   The word has 1 to 9 letters from a to z, and none of these texts is too long. Where the processor
   has no such vectors, it must not be called. */
void cbytes_lane_points(
    const uint8_t *bytes, const uint32_t *ends, size_t count, const uint8_t *rows, size_t chosen,
    const uint8_t *word, size_t letters, uint8_t *points);

#endif
