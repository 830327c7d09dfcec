/** Ports of pools. */
@NullMarked
package io.kairos.engine.pool.port;

import org.jspecify.annotations.NullMarked;
