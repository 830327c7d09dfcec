/** Checks of arguments, for constructors and factories, and hash functions. */
@NullMarked
package io.kairos.domain.check;

import org.jspecify.annotations.NullMarked;
