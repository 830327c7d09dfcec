/**
 * Being alive: the node's own lease on its life, renewed in the store and judged by the store's
 * clock alone. Every part of a node acts only while it lasts.
 */
@NullMarked
package io.kairos.engine.node;

import org.jspecify.annotations.NullMarked;
