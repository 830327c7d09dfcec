package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who vouches for events of those who have forked, by passing them on. Bounded in bytes for each
 * voucher, creator and round of birth, as long as the events are not backed.
 *
 * <p>Who tells the truth passes on what is backed in its own graph. It may know less of forks than
 * this replica: then it has one chain of a creator whom it does not know to have forked, and one
 * more that each other liar has named. And it is in the middle of what one event has backed, which
 * is one chain, and another one for each forker that it leads through. These are twice as many
 * chains as may lie; one more is for answers that overlap.
 */
final class Vouchers {
  private final int replicas;
  private final long mostBytes;
  private final TreeMap<Long, Born> byBirth = new TreeMap<>();

  /** Events with one round of birth. */
  private static final class Born {
    /** Nobody for those that have been backed. */
    private final Map<EventHash, Optional<ReplicaId>> vouchers = new HashMap<>();

    /** Of each voucher, and by creator. */
    private final long[][] bytes;

    Born(int replicas) {
      this.bytes = new long[replicas][replicas];
    }
  }

  Vouchers(HashgraphConfig config) {
    this.replicas = config.cluster().size();
    this.mostBytes = (2L * config.cluster().mayFail() + 1) * config.bounds().roundBytes();
  }

  /** Has a replica vouch for an event; false if another one does, or it does for too many. */
  boolean vouch(ReplicaId voucher, Event event) {
    Born born = born(event);
    long[] bytes = born.bytes[voucher.number()];
    long after = bytes[event.creator().number()] + event.heldBytes();
    if (after > mostBytes || born.vouchers.containsKey(event.hash())) {
      return false;
    }
    bytes[event.creator().number()] = after;
    born.vouchers.put(event.hash(), Optional.of(voucher));
    return true;
  }

  private Born born(Event event) {
    return byBirth.computeIfAbsent(event.birthRound(), _ -> new Born(replicas));
  }

  Optional<ReplicaId> of(Event event) {
    Born born = byBirth.get(event.birthRound());
    return born == null
        ? Optional.empty()
        : born.vouchers.getOrDefault(event.hash(), Optional.empty());
  }

  boolean isVouchedFor(Event event) {
    Born born = byBirth.get(event.birthRound());
    return born != null && born.vouchers.containsKey(event.hash());
  }

  /** An event need not be vouched for any more, and counts for nobody. */
  void settle(Event event) {
    Born born = born(event);
    of(event)
        .ifPresent(
            voucher -> born.bytes[voucher.number()][event.creator().number()] -= event.heldBytes());
    born.vouchers.put(event.hash(), Optional.empty());
  }

  /** Forgets the events born before a round. */
  void prune(long below) {
    byBirth.headMap(below).clear();
  }
}
