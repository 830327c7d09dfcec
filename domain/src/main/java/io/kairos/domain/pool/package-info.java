/** Pools of HTTP endpoints that take pushed work: what they are, and the rules of pushing. */
@NullMarked
package io.kairos.domain.pool;

import org.jspecify.annotations.NullMarked;
