/** The figures of all nodes, and what waits, in memory. */
@NullMarked
package io.kairos.model.cluster;

import org.jspecify.annotations.NullMarked;
