/**
 * Parts of a replica's process beside its log and its machine: ticks, modules, peers, and the state
 * that its edge shows.
 */
@NullMarked
package io.kairos.server.replica;

import org.jspecify.annotations.NullMarked;
