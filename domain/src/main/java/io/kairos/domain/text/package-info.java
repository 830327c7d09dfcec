/** Spelling suggestions for unknown names. */
@NullMarked
package io.kairos.domain.text;

import org.jspecify.annotations.NullMarked;
