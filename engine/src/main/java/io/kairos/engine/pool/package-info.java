/** Pools of HTTP endpoints, as the edges of a node see them. */
@NullMarked
package io.kairos.engine.pool;

import org.jspecify.annotations.NullMarked;
