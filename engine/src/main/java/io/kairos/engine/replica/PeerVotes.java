package io.kairos.engine.replica;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a replica knows of another's state, or of its own, by the votes in the log.
 *
 * @param last the latest checkpoint on which it has voted; empty for none
 * @param partedAt the first sequence at which its digest differs from that of the replica that
 *     knows this, as far as both are kept; empty for none
 */
public record PeerVotes(ReplicaId from, Optional<Checkpoint> last, OptionalLong partedAt) {}
