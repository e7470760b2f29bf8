/* Normalisation of text: neither the standard library nor FoundationEssentials has it in public. */
#include <utf8proc.h>
