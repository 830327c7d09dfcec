/**
 * The log of replicas of which fewer than a third may lie, on the hashgraph engine of Hiero. {@link
 * io.kairos.hashgraph.HashgraphCore} is the whole protocol without threads, sockets and clocks of
 * its own; the engine's classes are used by one class only.
 */
@NullMarked
package io.kairos.hashgraph;

import org.jspecify.annotations.NullMarked;
