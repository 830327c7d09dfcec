package io.kairos.domain.cron.round;

import static io.kairos.domain.replica.ReplicaGroup.Faults.CRASH;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.nio.ByteBuffer;

/**
 * The present round of each component's ticks, and the replicas that ticked in it. A round begins
 * when f+1 replicas have asked for it: one of them is correct, and has waited. Where replicas only
 * crash, one replica in turn suffices. One tick of each replica counts in a round; further ticks
 * are executed but evaluate nothing. Part of the replicated state; nothing is cached.
 */
public final class TickRounds {
  private static final int BYTES = 3 * Long.BYTES;

  private final ReplicaGroup cluster;
  private final TickRotation rotation;
  private final ReservedPages pages;

  /**
   * The state of a component.
   *
   * @param number the number of the round, 0 before the first
   * @param ticked the replicas whose tick counted in it, as bits
   * @param asking the replicas that ask for the next one, as bits
   */
  private record Round(long number, long ticked, long asking) {
    static final Round NONE = new Round(0, 0, 0);
  }

  public TickRounds(ReplicaGroup cluster, ReservedPages pages) {
    this.cluster = cluster;
    this.rotation = new TickRotation(cluster);
    this.pages = pages;
  }

  /** Returns the last round that has begun; 0 for none. */
  public long round(ComponentId component) {
    return read(component).number();
  }

  /** Returns true if a tick of this replica has counted in the last round. */
  public boolean hasTicked(ComponentId component, ReplicaId replica) {
    return (read(component).ticked() & replica.bit()) != 0;
  }

  /** Judges a tick that is being executed, and notes it. */
  public TickVerdict judge(ComponentId component, ReplicaId replica, long round) {
    Round now = read(component);
    boolean inTurn = rotation.isInTurn(replica, round);
    if (round == now.number() + 1) {
      long asking = now.asking() | replica.bit();
      if (Long.bitCount(asking) > cluster.mayFail() || (inTurn && cluster.faults() == CRASH)) {
        write(component, new Round(round, asking, 0));
        return TickVerdict.BEGINS;
      }
      write(component, new Round(now.number(), now.ticked(), asking));
      return TickVerdict.ASKS;
    }
    if (round == now.number() && round > 0) { // nobody has asked for round 0
      if (!inTurn || (now.ticked() & replica.bit()) != 0) {
        return TickVerdict.EXCESS;
      }
      write(component, new Round(round, now.ticked() | replica.bit(), now.asking()));
      return TickVerdict.JOINS;
    }
    return round <= now.number() ? TickVerdict.LATE : TickVerdict.EARLY;
  }

  /**
   * Deletes the state of a component that has no table any more. If it gets a table again, rounds
   * begin anew.
   */
  public static void forget(ComponentId component, ReservedPages pages) {
    pages.delete(page(component));
  }

  private Round read(ComponentId component) {
    return pages.read(page(component)).map(TickRounds::decode).orElse(Round.NONE);
  }

  private static Round decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    return new Round(from.getLong(), from.getLong(), from.getLong());
  }

  private void write(ComponentId component, Round round) {
    ByteBuffer to = ByteBuffer.allocate(BYTES);
    to.putLong(round.number()).putLong(round.ticked()).putLong(round.asking());
    pages.write(page(component), to.array());
  }

  private static PageId page(ComponentId component) {
    return new PageId(PageArea.ROUNDS, component.value(), 0);
  }
}
