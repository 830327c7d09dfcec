package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who vouches for events of those who have forked, by passing them on. Bounded in bytes for each
 * voucher, creator and round of birth, as long as the events are not backed.
 *
 * <p>Who tells the truth passes on what is backed in its own graph. It may know less of forks than
 * this replica: then it has chains of a creator whom it does not know to have forked, and those on
 * which other liars have built, as far as it does not know that these have forked. And of what one
 * event has backed it may have passed on a part. That is no more than as many chains as there are
 * replicas.
 */
final class Vouchers {
  private final int replicas;
  private final long mostBytes;
  private final TreeMap<Long, Born> byBirth = new TreeMap<>();

  /** Events with one round of birth. */
  private static final class Born {
    private final Map<EventHash, ReplicaId> vouchers = new HashMap<>();

    /** Of each voucher, and by creator. */
    private final long[][] bytes;

    Born(int replicas) {
      this.bytes = new long[replicas][replicas];
    }
  }

  Vouchers(HashgraphConfig config) {
    this.replicas = config.cluster().size();
    this.mostBytes = (long) replicas * config.bounds().roundBytes();
  }

  /** Has a replica vouch for an event; false if another one does, or it does for too many. */
  boolean vouch(ReplicaId voucher, Event event) {
    Born born = byBirth.computeIfAbsent(event.birthRound(), _ -> new Born(replicas));
    long[] bytes = born.bytes[voucher.number()];
    long after = bytes[event.creator().number()] + event.heldBytes();
    if (after > mostBytes || born.vouchers.containsKey(event.hash())) {
      return false;
    }
    bytes[event.creator().number()] = after;
    born.vouchers.put(event.hash(), voucher);
    return true;
  }

  boolean isVouchedFor(Event event) {
    Born born = byBirth.get(event.birthRound());
    return born != null && born.vouchers.containsKey(event.hash());
  }

  /** Nobody needs to vouch for an event any more. */
  void settle(Event event) {
    Born born = byBirth.get(event.birthRound());
    if (born == null) {
      return;
    }
    ReplicaId voucher = born.vouchers.remove(event.hash());
    if (voucher != null) {
      born.bytes[voucher.number()][event.creator().number()] -= event.heldBytes();
    }
  }

  /** Forgets the events born before a round. */
  void prune(long below) {
    byBirth.headMap(below).clear();
  }
}
