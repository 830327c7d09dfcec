package io.kairos.bench.byzantine;

import com.google.protobuf.util.Durations;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.server.demo.DemoReplica;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * A client that puts an entry at a place of its own every now and then, at the replicas in turn,
 * and knows which were acknowledged. On a thread of its own until it is closed.
 */
final class SteadyRequests implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final int FIRST = 100;
  private static final int PAGE = 1_000;

  private final long component;
  private final List<DemoReplica> replicas;
  private final Set<Integer> acknowledged = new ConcurrentSkipListSet<>();
  private final Thread thread;
  private volatile boolean isClosed;

  SteadyRequests(long component, List<DemoReplica> replicas) {
    this.component = component;
    this.replicas = List.copyOf(replicas);
    this.thread = Thread.ofPlatform().name("requests").start(this::run);
  }

  private void run() {
    for (int position = FIRST; !isClosed; position++) {
      try {
        replicas
            .get(position % replicas.size())
            .calls()
            .withDeadlineAfter(ANSWER_WITHIN)
            .putCronEntry(
                PutCronEntryRequest.newBuilder()
                    .setEntry(
                        CronEntry.newBuilder()
                            .setComponent(component)
                            .setPosition(position)
                            .setCron("0 0 29 2 *")
                            .setPrune(Durations.fromHours(1)))
                    .build());
        acknowledged.add(position);
      } catch (StatusRuntimeException _) { // it was killed, or nothing is decided at present
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  int acknowledged() {
    return acknowledged.size();
  }

  /** The acknowledged requests that have left no trace in the state of a replica. */
  Set<Integer> lostAt(DemoReplica replica) {
    Set<Integer> lost = new HashSet<>(acknowledged);
    String token = "";
    do {
      ListCronEntriesResponse page =
          replica
              .calls()
              .withDeadlineAfter(ANSWER_WITHIN)
              .listCronEntries(
                  ListCronEntriesRequest.newBuilder()
                      .setComponent(component)
                      .setPageSize(PAGE)
                      .setPageToken(token)
                      .build());
      page.getEntriesList().forEach(entry -> lost.remove(entry.getPosition()));
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    return lost;
  }

  /** Returns when no request is under way. */
  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
