/** Instants as the store keeps them. */
@NullMarked
package io.kairos.domain.time;

import org.jspecify.annotations.NullMarked;
