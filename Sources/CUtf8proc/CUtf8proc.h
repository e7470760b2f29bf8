/* Unicode normalization, which the standard library and FoundationEssentials do not make public. */
#include <utf8proc.h>
