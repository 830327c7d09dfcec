package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.util.Durations;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.Replica;
import io.kairos.contracts.certificate.ReplicaFiles;
import io.kairos.embedded.LoopbackPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Replicas with a log that bears liars; the add-on is on the class path of these tests. */
@Timeout(240)
class HashgraphEndToEndTest {
  private static final int SIZE = 4;

  @TempDir private Path folder;

  private static void put(Replicas replicas, int at, int position) {
    replicas
        .calls(at)
        .putCronEntry(
            PutCronEntryRequest.newBuilder()
                .setEntry(
                    CronEntry.newBuilder()
                        .setComponent(1)
                        .setPosition(position)
                        .setEvery(Durations.fromSeconds(1))
                        .setPrune(Durations.fromHours(1)))
                .build());
  }

  private static void start(Replicas replicas) {
    for (int id = 0; id < SIZE; id++) {
      RunningReplica each = replicas.replica(id);
      Replicas.await("ready", () -> each.obstacles().isEmpty());
    }
    replicas
        .calls(0)
        .putCronTable(
            PutCronTableRequest.newBuilder()
                .setComponent(1)
                .setTick(Durations.fromMillis(500))
                .build());
    put(replicas, 1, 10);
  }

  @Test
  @EnabledIfSystemProperty(
      named = "kairos.long",
      matches = "true",
      disabledReason = "four replicas that verify signatures need two idle processors")
  void four_replicas_execute_one_order_and_one_of_them_may_be_away() throws IOException {
    ReplicaFiles files = new ReplicaFiles(folder.resolve("keys"), SIZE).make();
    try (Replicas replicas =
        new Replicas(SIZE, folder, files::settings, "replica.digest-every=20")) {
      start(replicas);
      replicas.awaitEqual(20);

      replicas.stop(3);
      put(replicas, 2, 20);
      replicas.awaitEqual(replicas.look(0).getSequence());
      assertThat(replicas.replica(0).metrics())
          .contains("kairos_replica_connected{replica=\"3\"} 0.0");
      replicas.start(3);
      replicas.awaitEqual(replicas.look(0).getSequence());

      Replica.PeerReport report = replicas.look(3).getPeerReport();
      assertThat(report.getRound()).isPositive();
      assertThat(report.getForkersList()).isEmpty();
      assertThat(report.getPeersList()).hasSize(SIZE);
      assertThat(replicas.look(0).hasLeader()).isFalse();
      assertThat(replicas.replica(0).metrics())
          .contains("kairos_replica_forked{replica=\"3\"} 0.0", "kairos_replica_ready 1.0");
    }
  }

  @Test
  void a_wrong_key_or_a_directory_of_another_log_is_refused_by_setting() throws IOException {
    ReplicaFiles files = new ReplicaFiles(folder.resolve("keys"), SIZE).make();
    String peers =
        Stream.generate(LoopbackPort::choose)
            .distinct()
            .limit(SIZE)
            .map(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    List<String> settings = new ArrayList<>(files.settings(1));
    settings.add("replica.peers=" + peers);
    settings.add("http.port=0");
    settings.add("replica.data-dir=" + folder.resolve("data"));

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> start(settings, "replica.id=2"))
        .withMessageContaining("is not the key of replica 2");
    start(settings, "replica.id=1").close();

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() ->
            start(
                settings.stream().filter(each -> !each.contains("hashgraph")).toList(),
                "replica.id=1"))
        .withMessageContaining("on hashgraph");
  }

  private static RunningReplica start(List<String> settings, String own) {
    List<String> all = new ArrayList<>(settings);
    all.add(own);
    return RunningReplica.start(ReplicaConfigTest.read(all.toArray(String[]::new)));
  }
}
