/** Calls about all nodes: who they are, what is wrong, figures, and what waits. */
@NullMarked
package io.kairos.edge.cluster;

import org.jspecify.annotations.NullMarked;
