/**
 * Liveness of a node: a lease that the node renews in the store. Another node declares it dead when
 * it has seen no renewal for the lapse, by its own elapsed time. Every part of a node acts only
 * while the lease lasts.
 */
@NullMarked
package io.kairos.engine.node;

import org.jspecify.annotations.NullMarked;
