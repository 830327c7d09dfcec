/** Metrics, logs and the watch over loops, made by listeners and steps. Reads no payloads. */
@NullMarked
package io.kairos.server.observe;

import org.jspecify.annotations.NullMarked;
