package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three replicas in processes of their own, which are killed, frozen and wiped one after another:
 * starting them is what takes the time.
 */
@Timeout(300)
class ReplicaProcessesTest {
  private static final int REPLICAS = 3;

  /** More than Ratis sends to one that does not answer. */
  private static final int APPENDS_UNDER_WAY = 20;

  private static final Duration LOOK_AGAIN_AFTER = Duration.ofMillis(20);

  @TempDir Path directory;
  private final List<ReplicaAddress> addresses = RatisReplicas.freeAddresses(REPLICAS);
  private final ReplicaProcess[] replicas = new ReplicaProcess[REPLICAS];
  private int batches;
  private long executed;

  @BeforeEach
  void startAll() {
    for (int i = 0; i < REPLICAS; i++) {
      start(i);
    }
    for (ReplicaProcess replica : replicas) {
      replica.await("open");
    }
    submit(0, 1);
  }

  @AfterEach
  void killAll() {
    for (ReplicaProcess replica : replicas) {
      if (replica != null) {
        replica.kill();
      }
    }
  }

  private void start(int number) {
    replicas[number] = new ReplicaProcess(ReplicaMain.class, number, directory, addresses);
  }

  /** Submits so many requests at once, and those again that are unknown, until each is done. */
  private void submit(int replica, int count) {
    int batch = ++batches;
    for (int i = 1; i <= count; i++) {
      replicas[replica].tell("submit " + (batch * 10_000 + i) + " 1 text");
    }
    int done = 0;
    while (done < count) {
      String[] answer = replicas[replica].await("answer").split("[ /]", -1);
      if (answer[3].equals("unknown")) {
        replicas[replica].tell("submit " + answer[1] + " " + answer[2] + " text");
      } else {
        assertThat(answer[3]).isEqualTo("done");
        done++;
      }
    }
    executed += count;
  }

  private int leader(int asked) {
    while (true) {
      String answer = replicas[asked].ask("leader");
      int leader = Integer.parseInt(answer.substring("leader ".length()));
      if (leader >= 0) {
        return leader;
      }
      LockSupport.parkNanos(LOOK_AGAIN_AFTER.toNanos());
    }
  }

  /** Waits until a replica has executed all there is, and says what its state is. */
  private String state(int replica) {
    while (true) {
      String state = replicas[replica].ask("state");
      if (state.startsWith("state " + executed + " ")) {
        return state;
      }
      LockSupport.parkNanos(LOOK_AGAIN_AFTER.toNanos());
    }
  }

  private void assertEqualStates() {
    String first = hash(state(0));
    assertThat(hash(state(1))).isEqualTo(first);
    assertThat(hash(state(2))).isEqualTo(first);
  }

  private static String hash(String state) {
    return state.split(" ", -1)[2];
  }

  private static int restored(String state) {
    return Integer.parseInt(state.split(" ", -1)[3]);
  }

  @Tag("long")
  @Test
  void cc30_cc31_what_was_answered_survives_and_all_states_are_equal()
      throws IOException, InterruptedException {
    killLeader();
    freezeFollowerUntilItNeedsASnapshot();
    loseADirectory();
    killAll();
    startAll();
    assertEqualStates();
  }

  private void killLeader() {
    submit(0, 50);
    int leader = leader(0);
    replicas[leader].kill();
    submit((leader + 1) % REPLICAS, 50);
    start(leader);
    replicas[leader].await("open");
    assertEqualStates();
  }

  /**
   * It lives on, so its tables must see the new state (CC-31). What was on its way to it may be all
   * it needs: then it is frozen again.
   */
  private void freezeFollowerUntilItNeedsASnapshot() throws IOException, InterruptedException {
    int leader = leader(0);
    int frozen = (leader + 1) % REPLICAS;
    int before = restored(state(frozen));
    do {
      replicas[frozen].signal("STOP");
      for (int i = 0; i < APPENDS_UNDER_WAY; i++) {
        submit(leader, 1);
      }
      submit(leader, 600);
      replicas[frozen].signal("CONT");
    } while (restored(state(frozen)) == before);
    submit(frozen, 10);
    assertEqualStates();
  }

  private void loseADirectory() throws IOException {
    int wiped = (leader(0) + 1) % REPLICAS;
    replicas[wiped].kill();
    try (Stream<Path> files = Files.walk(directory.resolve("replica-" + wiped))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    start(wiped);
    replicas[wiped].await("open");
    submit(wiped, 5); // a leader that has nothing to send does not notice
    assertEqualStates();
  }
}
