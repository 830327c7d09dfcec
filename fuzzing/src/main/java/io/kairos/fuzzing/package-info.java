/** Mutates corpora, and gives the mutations to parsers. */
@NullMarked
package io.kairos.fuzzing;

import org.jspecify.annotations.NullMarked;
