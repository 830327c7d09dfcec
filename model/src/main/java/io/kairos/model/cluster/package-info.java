/** The figures of all nodes, what waits, and the workers, in memory. */
@NullMarked
package io.kairos.model.cluster;

import org.jspecify.annotations.NullMarked;
