/** Calls about all nodes: who they are, what is wrong, figures, what waits, and the workers. */
@NullMarked
package io.kairos.edge.cluster;

import org.jspecify.annotations.NullMarked;
