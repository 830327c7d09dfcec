package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three replicas with the cron machine, in processes of their own, on Ratis. */
@Timeout(300)
class CronSnapshotTest {
  private static final int REPLICAS = 3;
  private static final int OLD = 10;
  private static final int NEW = 20;

  /** As many as keep the log from reaching back to where the frozen one stopped. */
  private static final int CHANGES = 600;

  private static final Duration LOOK_AGAIN_AFTER = Duration.ofMillis(20);

  @TempDir private Path directory;
  private List<ReplicaProcess> replicas = List.of();

  @AfterEach
  void killAll() {
    replicas.forEach(ReplicaProcess::kill);
  }

  private record State(long sequence, String digest, int restored) {}

  private State state(int replica) {
    String[] words = replicas.get(replica).ask("state").split(" ", -1);
    return new State(Long.parseLong(words[1]), words[2], Integer.parseInt(words[3]));
  }

  private long fires(int replica, int position) {
    return Long.parseLong(
        replicas.get(replica).askFor("fires", "fires " + position).substring("fires ".length()));
  }

  private void until(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      LockSupport.parkNanos(LOOK_AGAIN_AFTER.toNanos());
    }
  }

  private int leader() {
    until(() -> !replicas.getFirst().ask("leader").equals("leader -1"));
    return Integer.parseInt(replicas.getFirst().ask("leader").substring("leader ".length()));
  }

  private void tickAll(int millis) {
    replicas.forEach(replica -> replica.askFor("tick", "tick " + millis));
  }

  /** It lives on with the tables of before in its memory, and must evaluate those of the others. */
  @Tag("long")
  @Test
  void cc31_a_running_follower_that_is_given_a_snapshot_goes_on_with_its_schedule()
      throws IOException, InterruptedException {
    List<ReplicaAddress> addresses = RatisReplicas.freeAddresses(REPLICAS);
    replicas =
        IntStream.range(0, REPLICAS)
            .mapToObj(
                number -> new ReplicaProcess(CronReplicaMain.class, number, directory, addresses))
            .toList();
    replicas.forEach(replica -> replica.await("open"));
    int leader = leader();
    int frozen = (leader + 1) % REPLICAS;
    replicas.get(leader).askFor("put", "put " + OLD);
    tickAll(20);
    until(() -> fires(frozen, OLD) > 2);
    int before = state(frozen).restored();

    do {
      replicas.get(frozen).signal("STOP");
      replicas.get(leader).askFor("remove", "remove " + OLD);
      for (int i = 0; i < CHANGES; i++) {
        replicas.get(leader).askFor("put", "put " + NEW);
      }
      replicas.get(frozen).signal("CONT");
      long ahead = state(leader).sequence();
      until(() -> state(frozen).sequence() >= ahead);
    } while (state(frozen).restored() == before);

    long first = fires(frozen, NEW);
    until(() -> fires(frozen, NEW) > first + 2);
    assertThat(fires(frozen, OLD)).isEqualTo(-1);
    tickAll(0);
    until(() ->
        state(frozen).sequence() == state(leader).sequence()
            && state(frozen).sequence() == state((leader + 2) % REPLICAS).sequence());
    List<String> digests =
        IntStream.range(0, REPLICAS).mapToObj(replica -> state(replica).digest()).toList();
    assertThat(digests).containsOnly(digests.getFirst());
  }
}
