/** Pools in memory, and what every store of them does. */
@NullMarked
package io.kairos.testkit.pool;

import org.jspecify.annotations.NullMarked;
