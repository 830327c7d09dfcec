/** Pools of HTTP endpoints that take pushed tasks, and the rules of pushing. */
@NullMarked
package io.kairos.domain.pool;

import org.jspecify.annotations.NullMarked;
