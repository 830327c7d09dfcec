/**
 * Liveness of a node: a lease that the node renews in the store and that only the store's clock
 * judges. Every part of a node acts only while the lease lasts.
 */
@NullMarked
package io.kairos.engine.node;

import org.jspecify.annotations.NullMarked;
