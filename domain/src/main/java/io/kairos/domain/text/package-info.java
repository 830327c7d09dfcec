/** Spelling suggestions for unknown names, and patterns of names. */
@NullMarked
package io.kairos.domain.text;

import org.jspecify.annotations.NullMarked;
