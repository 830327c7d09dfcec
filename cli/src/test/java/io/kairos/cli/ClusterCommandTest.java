package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.Alarm;
import io.kairos.api.v1.Cluster;
import io.kairos.api.v1.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos cluster}: what is printed of nodes and alarms. */
final class ClusterCommandTest {
  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static Cluster.Builder nodes() {
    return Cluster.newBuilder()
        .setAt(Timestamp.newBuilder().setSeconds(60))
        .addNodes(
            Node.newBuilder()
                .setId("a")
                .setName("db-7/11")
                .setVersion("1.2.3")
                .addDoors("tasks")
                .addDoors("delay")
                .setSeenAt(Timestamp.newBuilder().setSeconds(60))
                .setClockOffset(Duration.newBuilder().setNanos(-3_000_000))
                .setLoad(0.5)
                .setHeapBytes(64 << 20)
                .setAnswering(true))
        .addNodes(
            Node.newBuilder()
                .setId("b")
                .setName("db-8/1")
                .setSeenAt(Timestamp.newBuilder().setSeconds(30))
                .setDead(true));
  }

  @Test
  void nodes_and_alarms_are_listed() {
    node.answers(
        nodes()
            .addAlarms(
                Alarm.newBuilder()
                    .setSeverity(Alarm.Severity.CRITICAL)
                    .setText("handler resize: nobody asks for it, 1,204 due")
                    .setSubject(Alarm.Subject.HANDLER)
                    .setName("resize")
                    .setSince(Timestamp.newBuilder().setSeconds(7)))
            .build());

    assertThat(node.kairos("cluster").out().lines())
        .map(line -> line.replaceAll(" +", " "))
        .containsExactly(
            "NODE STATE VERSION SEEN CLOCK LOAD HEAP DOORS",
            "db-7/11 alive 1.2.3 1970-01-01T00:01:00Z -3 ms 0.50 64 MiB tasks,delay",
            "db-8/1 dead - 1970-01-01T00:00:30Z - - 0 MiB",
            "",
            "SEVERITY SINCE WHAT IS WRONG",
            "critical 1970-01-01T00:00:07Z handler resize: nobody asks for it, 1,204 due");
  }

  @Test
  void without_alarms_it_says_so() {
    node.answers(nodes().build());

    assertThat(node.kairos("cluster").out()).endsWith("nothing is wrong");
  }

  @Test
  void json_has_all_parts() {
    node.answers(nodes().build());

    assertThat(node.kairos("cluster -o json").out())
        .contains("\"name\": \"db-7/11\"", "\"heapBytes\": 67108864", "\"load\": 0.5");
  }
}
