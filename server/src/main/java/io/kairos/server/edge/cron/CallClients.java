package io.kairos.server.edge.cron;

import io.kairos.engine.replica.ClientId;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.random.RandomGenerator;

/**
 * Clients under whose numbers this process has changes executed. Each is used for one change at a
 * time, with rising requests, so that there are as many as there are changes under way at most: the
 * bounded table by which each request is executed once has room for those of others. One whose
 * change is not known to be executed is not used again, as that may come behind the next one.
 * Thread-safe.
 */
final class CallClients {
  private static final long FIRST = 1;

  private final RandomGenerator chance;
  private final Deque<Turn> free = new ConcurrentLinkedDeque<>();

  /** Of which client it is which request. */
  record Turn(ClientId client, long request) {}

  /**
   * @param chance for their numbers, which must not come again: seeded anew in each process
   */
  CallClients(RandomGenerator chance) {
    this.chance = chance;
  }

  Turn take() {
    Turn next = free.poll();
    // Not one of those that only replicas may use.
    return next == null ? new Turn(new ClientId(chance.nextLong() >>> 1), FIRST) : next;
  }

  /** The request was executed. */
  void executed(Turn turn) {
    free.push(new Turn(turn.client(), turn.request() + 1));
  }
}
