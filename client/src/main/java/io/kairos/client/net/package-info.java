/** Connections to nodes: one channel per node, called in turn, recently failed nodes last. */
@NullMarked
package io.kairos.client.net;

import org.jspecify.annotations.NullMarked;
