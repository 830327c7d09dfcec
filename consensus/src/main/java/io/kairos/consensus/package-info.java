/**
 * The log of replicas that may crash: Apache Ratis, an implementation of Raft, behind {@link
 * io.kairos.engine.replica.ReplicatedLog}.
 */
@NullMarked
package io.kairos.consensus;

import org.jspecify.annotations.NullMarked;
