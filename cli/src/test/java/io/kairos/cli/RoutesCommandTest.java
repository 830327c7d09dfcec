package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.DeadLetter;
import io.kairos.api.v1.DelayRoute;
import io.kairos.api.v1.ListDeadLettersRequest;
import io.kairos.api.v1.ListDeadLettersResponse;
import io.kairos.api.v1.ListRoutesResponse;
import io.kairos.api.v1.RepublishDeadLetterRequest;
import io.kairos.api.v1.RepublishDeadLetterResponse;
import io.kairos.api.v1.Topic;
import io.kairos.cli.ScriptedNode.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos routes}: which words become which request, and what is printed. */
final class RoutesCommandTest {
  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static ListRoutesResponse routes() {
    return ListRoutesResponse.newBuilder()
        .addRoutes(
            DelayRoute.newBuilder()
                .setName("bills")
                .setInput("in")
                .setOutput("out")
                .setDeadLetters("dead")
                .setServed(true)
                .setWaiting(31_000)
                .setEstimated(true)
                .setTakenOver(4)
                .addPartitions(
                    DelayRoute.InputPartition.newBuilder()
                        .setNode("a")
                        .setPosition(7)
                        .setLag(1_500))
                .addPartitions(DelayRoute.InputPartition.newBuilder().setNode("b").setPartition(1))
                .addLanes(
                    DelayRoute.Lane.newBuilder()
                        .setNode("a")
                        .setTopic("out")
                        .setPartition(2)
                        .setQueued(9)
                        .setTrouble("dead for 12 s")))
        .addRoutes(DelayRoute.newBuilder().setName("former").setWaiting(2))
        .build();
  }

  @Test
  void routes_are_listed_with_what_is_wrong() {
    node.answers(routes(), routes());

    Said said = node.kairos("routes");

    assertThat(said.out().lines())
        .map(line -> line.replaceAll(" +", " "))
        .containsExactly(
            "ROUTE SERVED INPUT OUTPUT DEAD LETTERS WAITING LAG TAKEN OVER",
            "bills yes in out dead about 31,000 1,500 4",
            "former no - - - 2 - 0",
            "",
            "OUTPUT PARTITION NODE DUE TROUBLE",
            "out 2 a 9 dead for 12 s");
    assertThat(node.kairos("routes list")).isEqualTo(said);
  }

  @Test
  void dead_letters_are_listed_in_one_line_each() {
    node.answers(
        ListDeadLettersResponse.newBuilder()
            .addLetters(
                DeadLetter.newBuilder()
                    .setPartition(1)
                    .setOffset(4_000_000_000L)
                    .setAt(Timestamp.newBuilder().setSeconds(60))
                    .setReason("missing-id")
                    .setDetail("no id\u001b[31m\nmore")
                    .setSource("in, partition 0, offset 9")
                    .setValueBytes(-1))
            .build());

    assertThat(node.kairos("routes dead-letters bills --reason missing-id --limit 1").out().lines())
        .map(line -> line.replaceAll(" +", " "))
        .first()
        .isEqualTo("PARTITION OFFSET PARKED REASON FROM BYTES WHY");
    ListDeadLettersRequest asked = node.request(ListDeadLettersRequest.class);
    assertThat(asked.getRoute()).isEqualTo("bills");
    assertThat(asked.getReason()).isEqualTo("missing-id");
    assertThat(asked.getPageSize()).isEqualTo(1);
  }

  @Test
  void a_letter_is_published_again_with_corrections() {
    node.answers(
        RepublishDeadLetterResponse.newBuilder().setPartition(3).setOffset(12_345).build());

    Said said =
        node.kairos(
            "routes republish bills 1 7 --at=1970-01-01T00:01:00Z --payload=new"
                + " --header=kairos-id=a=b --without-header=x --again --yes");

    assertThat(said).isEqualTo(new Said(0, "published: partition 3, offset 12,345", ""));
    assertThat(node.request(RepublishDeadLetterRequest.class))
        .isEqualTo(
            RepublishDeadLetterRequest.newBuilder()
                .setRoute("bills")
                .setPartition(1)
                .setOffset(7)
                .setAgain(true)
                .setCorrection(
                    RepublishDeadLetterRequest.Correction.newBuilder()
                        .setRunAt(Timestamp.newBuilder().setSeconds(60))
                        .setValue(ByteString.copyFromUtf8("new"))
                        .addHeaders(
                            Topic.Header.newBuilder()
                                .setName("kairos-id")
                                .setValue(ByteString.copyFromUtf8("a=b")))
                        .addRemoveHeaders("x"))
                .build());
  }

  @Test
  void without_a_terminal_it_must_be_confirmed_by_an_option() {
    Said said = node.kairos("routes republish bills 1 7");

    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("--yes");
  }
}
