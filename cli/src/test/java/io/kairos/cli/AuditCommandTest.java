package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.kairos.api.v1.AuditEntry;
import io.kairos.api.v1.ListAuditEntriesRequest;
import io.kairos.api.v1.ListAuditEntriesResponse;
import io.kairos.cli.ScriptedNode.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos audit}: which words become which request, and what is printed. */
final class AuditCommandTest {
  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static ListAuditEntriesResponse entries() {
    return ListAuditEntriesResponse.newBuilder()
        .addEntries(
            AuditEntry.newBuilder()
                .setNumber(3)
                .setTime(Timestamp.newBuilder().setSeconds(120))
                .setAddress("10.0.0.9")
                .setOutcome("UNAUTHENTICATED")
                .setMore(4_812))
        .addEntries(
            AuditEntry.newBuilder()
                .setNumber(2)
                .setTime(Timestamp.newBuilder().setSeconds(60))
                .setCaller("ana")
                .setAddress("10.0.0.7")
                .setAction("SetPause")
                .setKind("handler")
                .setObject("billing")
                .setDetail("collection=eu")
                .setOutcome("OK"))
        .build();
  }

  @Test
  void entries_are_listed_with_who_has_done_what_to_which_object() {
    node.answers(entries());

    Said said = node.kairos("audit list");

    assertThat(said.out().lines())
        .map(line -> line.replaceAll(" +", " "))
        .containsExactly(
            "TIME CALLER ADDRESS ACTION OBJECT OUTCOME",
            "1970-01-01T00:02:00Z - 10.0.0.9 and 4,812 more - UNAUTHENTICATED",
            "1970-01-01T00:01:00Z ana 10.0.0.7 SetPause handler billing collection=eu OK");
  }

  @Test
  void each_option_is_asked_for() {
    node.answers(ListAuditEntriesResponse.getDefaultInstance());

    node.kairos(
        "audit list --caller=ana --action=SetPause --kind=handler --object=billing --outcome=ok"
            + " --from=1970-01-01T00:01:00Z --to=1970-01-01T00:02:00Z --limit=7");

    assertThat(node.request(ListAuditEntriesRequest.class))
        .isEqualTo(
            ListAuditEntriesRequest.newBuilder()
                .setCaller("ana")
                .setAction("SetPause")
                .setKind("handler")
                .setObject("billing")
                .setOutcome("OK")
                .setNotBefore(Timestamp.newBuilder().setSeconds(60))
                .setBefore(Timestamp.newBuilder().setSeconds(120))
                .setPageSize(7)
                .build());
  }

  @Test
  void json_has_all_parts() {
    node.answers(entries());

    assertThat(node.kairos("audit list -o json").out())
        .contains("\"more\": 4812", "\"caller\": \"ana\"", "\"detail\": \"collection=eu\"");
  }
}
