package io.kairos.edge.cron;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.random.RandomGenerator;

/**
 * Client ids for calls that bring none, from those that only this replica may use. Each id is used
 * for one change at a time, with rising request numbers, so there are never more ids than
 * concurrent changes; the replicas' table of clients is bounded. An id whose change has an unknown
 * outcome is not used again, because that change may still be executed after the next one.
 * Thread-safe.
 */
final class CallClients {
  private static final long FIRST = 1;

  private final ReplicaId self;
  private final RandomGenerator chance;
  private final Deque<Turn> free = new ConcurrentLinkedDeque<>();

  /** A client id and the number of its next request. */
  record Turn(ClientId client, long request) {}

  /**
   * @param chance source of the ids, which must not repeat: seeded anew in each process
   */
  CallClients(ReplicaId self, RandomGenerator chance) {
    this.self = self;
    this.chance = chance;
  }

  Turn take() {
    Turn next = free.poll();
    return next == null
        ? new Turn(ClientId.ofCalls(self, chance.nextLong(ClientId.CALLS)), FIRST)
        : next;
  }

  /** Returns the id for the next change; called once the request was executed. */
  void executed(Turn turn) {
    free.push(new Turn(turn.client(), turn.request() + 1));
  }
}
