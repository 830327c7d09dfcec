package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.kairos.api.v1.BackfillScheduleResponse;
import io.kairos.api.v1.CallModuleResponse;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronTable;
import io.kairos.api.v1.Fire;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.api.v1.ListCronFiresResponse;
import io.kairos.api.v1.ListCronTablesResponse;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.ListPoolsResponse;
import io.kairos.api.v1.ListStuckKeysResponse;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.Pause;
import io.kairos.api.v1.Pool;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.RedriveResponse;
import io.kairos.api.v1.Replica;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.StuckKey;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TriggerScheduleResponse;
import io.kairos.api.v1.UnreadablePool;
import io.kairos.cli.ScriptedNode.Said;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Whatever shows something shows it to programs as well. */
final class OutputTest {
  private static final ScriptedNode NODE = new ScriptedNode();
  private static final String ID = "019b76da-a800-7000-8000-000000000004";
  private static final Task TASK =
      Task.newBuilder()
          .setId(ID)
          .setHandler("mail")
          .setState(Task.State.DEAD)
          .setPayload(ByteString.copyFromUtf8("hello"))
          .build();
  private static final Pool POOL =
      Pool.newBuilder()
          .setName("billing")
          .setRouting(Pool.Routing.STICKY)
          .addKeys(Pool.SigningKey.newBuilder().setSecret("whsec_x"))
          .addEndpointStatuses(
              Pool.EndpointStatus.newBuilder()
                  .setEndpoint("http://h 10.0.0.1")
                  .setExcluded("private"))
          .build();

  @AfterAll
  static void stop() {
    NODE.close();
  }

  static Stream<Arguments> commands() {
    Message tasks = ListTasksResponse.newBuilder().addTasks(TASK).build();
    Message cancelled =
        CancelTaskResponse.newBuilder().setOutcome(CancelTaskResponse.Outcome.CANCELLED).build();
    Message accepted = ScheduleTaskResponse.newBuilder().setId(ID).build();
    Message putBack = RedriveResponse.newBuilder().addIds(ID).build();
    Message pause = Pause.newBuilder().setHandler("mail").setMode(Pause.Mode.PAUSE).build();
    Message handler = Handler.newBuilder().setName("mail").setDead(3).build();
    Message queue = Queue.newBuilder().setHandler("mail").setPerSecond(2.5).build();
    Message keys =
        ListStuckKeysResponse.newBuilder()
            .addStuckKeys(StuckKey.newBuilder().setHandler("mail").setKey("anna").setHead(ID))
            .build();
    Message paused =
        Schedule.newBuilder().setName("nightly").setState(Schedule.State.PAUSED).build();
    CronEntry entry = CronEntry.newBuilder().setComponent(1).setEveryTick(true).build();
    Message triggered =
        TriggerScheduleResponse.newBuilder().setFire(Fire.newBuilder().setExecutionId(ID)).build();
    Message backfilled =
        BackfillScheduleResponse.newBuilder().setFired(3).setRequestId("again").build();
    return Stream.of(
        Arguments.of("schedule pause nightly", paused, "state: PAUSED"),
        Arguments.of("schedule resume nightly", paused, "name: nightly"),
        Arguments.of("schedule trigger nightly", triggered, "executionId: " + ID),
        Arguments.of(
            "schedule backfill nightly --from 2029-01-01T00:00:00Z --to 2029-01-02T00:00:00Z",
            backfilled,
            "requestId: again"),
        Arguments.of("task add mail", accepted, "id: " + ID),
        Arguments.of("task get " + ID, TASK, "payload: aGVsbG8="),
        Arguments.of("task list", tasks, "- id: " + ID),
        Arguments.of("task cancel " + ID, cancelled, "outcome: CANCELLED"),
        Arguments.of("task reschedule " + ID + " --delay 1h", TASK, "handler: mail"),
        Arguments.of(
            "handler list",
            ListHandlersResponse.newBuilder().addHandlers((Handler) handler).build(),
            "dead: 3"),
        Arguments.of("handler settings mail", handler, "handler: mail"),
        Arguments.of("handler limits mail --rate 2.5", queue, "perSecond: 2.5"),
        Arguments.of("handler keys", keys, "key: anna"),
        Arguments.of("handler pause mail", pause, "handler: mail"),
        Arguments.of("handler redrive --all", putBack, "putBack: 1"),
        Arguments.of("dlq list", tasks, "state: DEAD"),
        Arguments.of("dlq show " + ID, TASK, "handler: mail"),
        Arguments.of("dlq redrive --all", putBack, "putBack: 1"),
        Arguments.of("delay send --topic t", accepted, "id: " + ID),
        Arguments.of("delay cancel " + ID, cancelled, "outcome: CANCELLED"),
        Arguments.of("delay reschedule " + ID + " --delay 1h", TASK, "id: " + ID),
        Arguments.of("pool create billing", POOL, "- whsec_x"),
        Arguments.of("pool change billing --routing sticky", POOL, "routing: STICKY"),
        Arguments.of(
            "pool list", ListPoolsResponse.newBuilder().addPools(POOL).build(), "name: billing"),
        Arguments.of("pool show billing", POOL, "excluded: private"),
        Arguments.of("pool rotate-key billing --yes", POOL, "- whsec_x"),
        Arguments.of("cron status", Replica.newBuilder().setSequence(7).build(), "sequence: 7"),
        Arguments.of(
            "cron tables",
            ListCronTablesResponse.newBuilder()
                .addTables(CronTable.newBuilder().setComponent(4_294_967_295L))
                .build(),
            "component: 4294967295"),
        Arguments.of(
            "cron entries",
            ListCronEntriesResponse.newBuilder().addEntries(entry).build(),
            "everyTick: true"),
        Arguments.of("cron show --component 1 --position 0", entry, "everyTick: true"),
        Arguments.of(
            "cron fires --component 1",
            ListCronFiresResponse.newBuilder()
                .addFires(CronFire.newBuilder().setSequence(7))
                .build(),
            "- sequence: 7"),
        Arguments.of(
            "cron call notebook",
            CallModuleResponse.newBuilder().setReply(ByteString.copyFromUtf8("hello")).build(),
            "reply: aGVsbG8="));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void an_answer_is_the_same_tree_in_json_and_yaml(String words, Message answer, String part) {
    NODE.answers(answer, answer, answer);

    assertThat(said(words, "table").out()).isNotEmpty();
    Said yaml = said(words, "yaml");

    assertThat(yaml.out()).contains(part);
    Object tree = read(yaml.out());
    assertThat(tree).isNotInstanceOf(String.class);
    assertThat(read(said(words, "json").out())).isEqualTo(tree);
    NODE.forget();
  }

  @Test
  void a_pool_that_the_node_cannot_read_is_named_beside_the_list() {
    NODE.answers(
        ListPoolsResponse.newBuilder()
            .addPools(POOL)
            .addUnreadable(
                UnreadablePool.newBuilder().setName("later").setReason("knows no routing X"))
            .build());

    Said said = NODE.kairos("pool list");

    assertThat(said.code()).isZero();
    assertThat(said.out()).contains("billing").doesNotContain("later");
    assertThat(said.err()).isEqualToIgnoringNewLines("left out later: knows no routing X");
    NODE.forget();
  }

  private static Said said(String words, String format) {
    Said said = NODE.kairos(words + " --output=" + format);
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return said;
  }

  private static Object read(String text) {
    return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
  }
}
