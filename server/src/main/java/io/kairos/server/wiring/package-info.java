/** Constructs adapters, threads and clocks, and starts and stops nodes and replicas. */
@NullMarked
package io.kairos.server.wiring;

import org.jspecify.annotations.NullMarked;
