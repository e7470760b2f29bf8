#include "cscan.h"

#include <string.h>

size_t cscan_count(
    const uint8_t *bytes, const size_t *ends, size_t count, const uint8_t *word, size_t letters) {
    size_t found = 0, start = 0;
    for (size_t text = 0; text < count; text++) {
        const uint8_t *place = bytes + start, *end = bytes + ends[text];
        size_t letter = 0;
        for (; letter < letters; letter++) {
            place = memchr(place, word[letter], (size_t)(end - place));
            if (!place) break;
            place++;
        }
        found += letter == letters;
        start = ends[text];
    }
    return found;
}
