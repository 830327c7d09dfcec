/**
 * What all nodes do together: the figures that each keeps and shares, the nodes, what is wrong, and
 * what waits.
 */
@NullMarked
package io.kairos.engine.cluster;

import org.jspecify.annotations.NullMarked;
