package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.kairos.api.v1.CallModuleRequest;
import io.kairos.api.v1.CallModuleResponse;
import io.kairos.api.v1.CronChange;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronTable;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.api.v1.ListCronFiresRequest;
import io.kairos.api.v1.ListCronFiresResponse;
import io.kairos.api.v1.ListCronTablesRequest;
import io.kairos.api.v1.ListCronTablesResponse;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronEntryRequest.Mode;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.RemoveAllCronEntriesRequest;
import io.kairos.api.v1.RemoveAllCronEntriesResponse;
import io.kairos.api.v1.RemoveCronEntryRequest;
import io.kairos.api.v1.RemoveCronTableRequest;
import io.kairos.api.v1.Replica;
import io.kairos.cli.ScriptedNode.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code kairos cron}: which words become which request, and what is printed. */
final class CronCommandTest {
  private static final CronChange CHANGE = CronChange.newBuilder().setSequence(42).build();
  private static final Duration HALF_A_SECOND = Duration.newBuilder().setNanos(500_000_000).build();
  private static final Timestamp MINUTE = Timestamp.newBuilder().setSeconds(60).build();

  private final ScriptedNode replica = new ScriptedNode();

  @AfterEach
  void stop() {
    replica.close();
  }

  private static Duration seconds(long seconds) {
    return Duration.newBuilder().setSeconds(seconds).build();
  }

  private static CronEntry.Builder placed() {
    return CronEntry.newBuilder().setComponent(1).setPosition(10);
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  static Stream<Arguments> entries() {
    CronEntry.Builder task = placed().setEvery(seconds(10)).setTitle("mails");
    task.getEnqueueTaskBuilder().setHandler("mail").setPayload(bytes("hello")).setKey("k");
    CronEntry.Builder message = placed();
    message.getFixedRateBuilder().setPeriod(seconds(10)).setAnchor(MINUTE);
    message
        .getPostMessageBuilder()
        .setTopic("out")
        .setKey(bytes("k"))
        .setValue(bytes("v"))
        .setDelay(seconds(60));
    CronEntry.Builder push = placed().setCron("*/5");
    push.getPushBuilder().setUrl("http://h/x").setContentType("text/plain").setBody(bytes("b"));
    CronEntry.Builder pool = placed().setCron("*/7");
    pool.getPushToPoolBuilder()
        .setPool(
            PoolTarget.newBuilder()
                .setName("billing")
                .setMethod("PUT")
                .setPath("/close")
                .addHeaders(PoolTarget.Header.newBuilder().setName("x-a").setValue("b")))
        .setBody(bytes("b"))
        .setKey("k");
    CronEntry.Builder run = placed().setEveryTick(true);
    run.getRunBuilder().setModule("notebook").setArgument(bytes("a"));
    CronEntry.Builder ruled = placed().setPrune(seconds(86_400));
    ruled.getByModuleBuilder().setModule("bank-days").setArgument(bytes("a"));
    return Stream.of(
        Arguments.of("--title=mails --every=10s --task=mail --payload=hello --key=k", task),
        Arguments.of(
            "--rate=10s --anchor=1970-01-01T00:01:00Z --message=out --delay=1m --key=k --payload=v",
            message),
        Arguments.of("--cron=*/5 --push=http://h/x --content-type=text/plain --payload=b", push),
        Arguments.of(
            "--cron=*/7 --pool=billing --method=PUT --path=/close --header=x-a=b --payload=b --key=k",
            pool),
        Arguments.of("--each-tick --run=notebook --payload=a", run),
        Arguments.of("--by=bank-days --rule-argument=a --prune=1d", ruled),
        Arguments.of(
            "--sequences=100 --prune=7d",
            placed().setEverySequences(100).setPrune(seconds(604_800))));
  }

  @ParameterizedTest
  @MethodSource("entries")
  void words_become_an_entry(String words, CronEntry.Builder entry) {
    replica.answers(CHANGE, CHANGE);
    String line = "cron put --component=1 --position=10 " + words;

    assertThat(replica.kairos(line))
        .isEqualTo(new Said(0, "position 10 of component 1: put, at sequence 42", ""));
    assertThat(replica.request(PutCronEntryRequest.class))
        .isEqualTo(PutCronEntryRequest.newBuilder().setEntry(entry).setMode(Mode.CREATE).build());

    replica.kairos(line + " --replace");
    assertThat(replica.request(PutCronEntryRequest.class).getMode()).isEqualTo(Mode.REPLACE);
  }

  @Test
  void a_refusal_is_printed_and_an_entry_whose_answer_is_lost_is_not_put_again() {
    replica.refuses(
        Status.ALREADY_EXISTS.withDescription("entry.position: is taken; the mode REPLACE helps"));
    replica.refuses(Status.UNAVAILABLE.withDescription("it may be done yet or not"));
    String line = "cron put --component=1 --position=10 --each-tick --run=notebook";

    Said taken = replica.kairos(line);
    Said lost = replica.kairos(line);

    assertThat(taken.code()).isEqualTo(1);
    assertThat(taken.err()).contains("entry.position: is taken; the mode REPLACE helps");
    assertThat(lost.code()).isEqualTo(1);
    assertThat(lost.err()).contains("it may be done yet or not");
  }

  @Test
  void tables_are_listed_set_and_removed() {
    replica.answers(
        ListCronTablesResponse.newBuilder()
            .addTables(
                CronTable.newBuilder()
                    .setComponent(1)
                    .setTick(HALF_A_SECOND)
                    .setEntries(2)
                    .setFailures(3)
                    .setRound(4))
            .build(),
        CHANGE,
        CHANGE);

    assertThat(squeezed(replica.kairos("cron tables")))
        .containsExactly("COMPONENT TICK ENTRIES FAILURES ROUND", "1 500ms 2 3 4");
    replica.request(ListCronTablesRequest.class);
    assertThat(replica.kairos("cron table --component=1 --tick=500ms").out())
        .isEqualTo("component 1: ticks every 500ms, at sequence 42");
    assertThat(replica.kairos("cron table --component=1 --remove --yes").out())
        .isEqualTo("component 1: removed, at sequence 42");

    assertThat(replica.request(PutCronTableRequest.class).getTick()).isEqualTo(HALF_A_SECOND);
    assertThat(replica.request(RemoveCronTableRequest.class).getComponent()).isEqualTo(1);
  }

  @Test
  void entries_are_listed_over_pages_up_to_a_limit() {
    CronEntry.Builder first = placed().setEvery(seconds(10)).setFires(3);
    first.getEnqueueTaskBuilder().setHandler("mail");
    first.getNextFireBuilder().setTime(MINUTE);
    first.getLastFireBuilder().setSequence(41).setFireTime(MINUTE);
    CronEntry.Builder second = placed().setPosition(20).setEverySequences(7).setTitle("tidy up");
    second.setPrune(seconds(86_400)).getNextFireBuilder().setSequence(48);
    replica.answers(
        ListCronEntriesResponse.newBuilder().addEntries(first).setNextPageToken("1-10").build(),
        ListCronEntriesResponse.newBuilder().addEntries(second).setNextPageToken("1-20").build());

    assertThat(squeezed(replica.kairos("cron entries --component=1 --limit=2")))
        .containsExactly(
            "COMPONENT POSITION WHEN WORK NEXT FIRES LAST TITLE",
            "1 10 every 10s task mail 1970-01-01T00:01:00Z 3 1970-01-01T00:01:00Z",
            "1 20 every 7 sequences prune 1d sequence 48 0 - tidy up");

    assertThat(replica.request(ListCronEntriesRequest.class))
        .isEqualTo(ListCronEntriesRequest.newBuilder().setComponent(1).setPageSize(2).build());
    assertThat(replica.request(ListCronEntriesRequest.class))
        .isEqualTo(
            ListCronEntriesRequest.newBuilder()
                .setComponent(1)
                .setPageSize(1)
                .setPageToken("1-10")
                .build());
    assertThat(replica.wasNotAsked()).isTrue();
  }

  @Test
  void an_entry_is_shown_with_how_it_failed() {
    CronEntry.Builder entry = placed().setCron("*/5 * * * *").setTitle("watch").setFires(3);
    entry.getPushBuilder().setUrl("http://h/x");
    entry.getLastFireBuilder().setSequence(41);
    entry
        .getLastFailureBuilder()
        .setCallback(CronEntry.Failure.Callback.ACTION)
        .setCount(2)
        .setSequence(40)
        .setKind("java.lang.IllegalStateException");
    replica.answers(entry.build());

    assertThat(replica.kairos("cron show --component=1 --position=10").out().lines().toList())
        .containsExactly(
            "component  1",
            "position   10",
            "title      watch",
            "when       cron */5 * * * *",
            "work       push http://h/x",
            "next       the next tick tells",
            "fires      3, last sequence 41 at sequence 41",
            "failures   2, last at sequence 40: java.lang.IllegalStateException in its action");
  }

  @Test
  void entries_are_removed_one_or_all() {
    replica.answers(
        CHANGE, RemoveAllCronEntriesResponse.newBuilder().setSequence(43).setRemoved(5).build());

    assertThat(replica.kairos("cron remove --component=1 --position=10 --yes").out())
        .isEqualTo("position 10 of component 1: removed, at sequence 42");
    assertThat(replica.kairos("cron remove --component=1 --all --yes").out())
        .isEqualTo("component 1: 5 removed");

    assertThat(replica.request(RemoveCronEntryRequest.class).getPosition()).isEqualTo(10);
    assertThat(replica.request(RemoveAllCronEntriesRequest.class).getComponent()).isEqualTo(1);
  }

  @Test
  void fires_are_listed() {
    replica.answers(
        ListCronFiresResponse.newBuilder()
            .addFires(CronFire.newBuilder().setSequence(41).setPosition(10).setFireTime(MINUTE))
            .addFires(CronFire.newBuilder().setSequence(40).setPosition(20))
            .build());

    assertThat(squeezed(replica.kairos("cron fires --component=1 --limit=2")))
        .containsExactly("SEQUENCE POSITION FIRE TIME", "41 10 1970-01-01T00:01:00Z", "40 20 -");

    assertThat(replica.request(ListCronFiresRequest.class))
        .isEqualTo(ListCronFiresRequest.newBuilder().setComponent(1).setLimit(2).build());
  }

  @Test
  void a_numbered_request_to_a_module_is_repeated_when_its_answer_is_lost() {
    replica.refuses(Status.UNAVAILABLE);
    replica.answers(CallModuleResponse.newBuilder().setReply(bytes("before")).build());

    assertThat(replica.kairos("cron call notebook --payload=words --client=7 --request=3"))
        .isEqualTo(new Said(0, "before", ""));

    CallModuleRequest expected =
        CallModuleRequest.newBuilder()
            .setModule("notebook")
            .setBody(bytes("words"))
            .setClient(7)
            .setRequest(3)
            .build();
    assertThat(replica.request(CallModuleRequest.class)).isEqualTo(expected);
    assertThat(replica.request(CallModuleRequest.class)).isEqualTo(expected);
  }

  @Test
  void the_status_compares_the_digests_of_all_replicas_that_are_found() {
    try (ScriptedNode equal = new ScriptedNode();
        ScriptedNode other = new ScriptedNode()) {
      List<ScriptedNode> all = List.of(replica, equal, other);
      replica.answers(status(0, "aa11", all));
      equal.answers(status(1, "aa11", all));
      other.answers(status(2, "bb22", all));

      Said said = replica.kairos("cron status");

      assertThat(said.code()).isEqualTo(1);
      assertThat(squeezed(said))
          .containsExactly(
              "REPLICA ROLE SEQUENCE AGREED TIME CHECKPOINT DIGEST STATE",
              "0 follower 1234 1970-01-01T00:01:00Z 1000 aa11 differs",
              "1 leader 1234 1970-01-01T00:01:00Z 1000 aa11 differs",
              "2 follower 1234 1970-01-01T00:01:00Z 1000 bb22 differs");
    }
  }

  @Test
  void equal_replicas_are_well_also_when_one_is_asked_before_a_checkpoint() {
    try (ScriptedNode other = new ScriptedNode()) {
      List<ScriptedNode> all = List.of(replica, other);
      Replica before = status(0, "aa11", all);
      Replica.Builder behind = before.toBuilder();
      behind.getLastCheckpointBuilder().setSequence(900).setDigest("0099");
      replica.answers(behind.build(), before);
      other.answers(status(1, "aa11", all), status(1, "aa11", all));

      Said said = replica.kairos("cron status");

      assertThat(said.code()).isZero();
      assertThat(squeezed(said)).filteredOn(line -> line.endsWith(" equal")).hasSize(2);
    }
  }

  @Test
  void a_replica_that_does_not_answer_is_named_with_its_reason() {
    try (ScriptedNode parted = new ScriptedNode()) {
      replica.answers(status(0, "aa11", List.of(replica, parted)));
      parted.refuses(Status.UNAVAILABLE.withDescription("it has another state"));

      Said said = replica.kairos("cron status");

      assertThat(said.code()).isEqualTo(1);
      assertThat(squeezed(said))
          .endsWith(
              "0 follower 1234 1970-01-01T00:01:00Z 1000 aa11 not compared",
              "1 - - - - - UNAVAILABLE: it has another state");
    }
  }

  @Test
  void the_token_goes_to_no_address_that_a_replica_names(@TempDir Path folder) throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "secret");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    try (ScriptedNode open = new ScriptedNode();
        ScriptedNode closed = new ScriptedNode()) {
      List<ScriptedNode> all = List.of(replica, open, closed);
      replica.answers(status(0, "aa11", all));
      open.answers(status(1, "aa11", all));
      closed.refuses(Status.UNAUTHENTICATED.withDescription("a token is needed"));

      Said said = replica.kairos("cron status --token-file=" + token);

      assertThat(replica.tokens()).containsExactly("Bearer secret");
      assertThat(open.tokens()).containsExactly("");
      assertThat(closed.tokens()).containsExactly("");
      assertThat(said.code()).isEqualTo(1);
      assertThat(squeezed(said))
          .endsWith(
              "2 - - - - - UNAUTHENTICATED: a token is needed; the token goes only to given"
                  + " addresses: add "
                  + closed.address()
                  + " to them");
    }
  }

  @Test
  void a_given_address_that_refuses_the_token_is_not_called_without_it(@TempDir Path folder)
      throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "secret");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    try (ScriptedNode closed = new ScriptedNode()) {
      replica.answers(status(0, "aa11", List.of(replica, closed)));
      closed.refuses(Status.UNAUTHENTICATED.withDescription("no caller has this token"));

      Said said =
          ScriptedNode.run(
              Map.of("KAIROS_CRON_ADDRESS", replica.address() + "," + closed.address()),
              ScriptedTerminal.none(),
              ScriptedNode.words("cron status --token-file=" + token));

      assertThat(closed.tokens()).containsExactly("Bearer secret");
      assertThat(said.code()).isEqualTo(1);
      assertThat(squeezed(said)).endsWith("1 - - - - - UNAUTHENTICATED: no caller has this token");
    }
  }

  @Test
  void a_status_that_nobody_tells_is_an_error() {
    replica.refuses(Status.UNAVAILABLE.withDescription("the replica stops"));

    Said said = replica.kairos("cron status");

    assertThat(said).isEqualTo(new Said(1, "", "kairos: UNAVAILABLE: the replica stops"));
  }

  /** Of a cluster with these replicas, of which number 1 leads. */
  private static Replica status(int self, String digest, List<ScriptedNode> replicas) {
    Replica.Builder status =
        Replica.newBuilder()
            .setCluster("orders")
            .setNumber(self)
            .setLeader(1)
            .setSequence(1_234)
            .setAgreedTime(MINUTE);
    status.getLastCheckpointBuilder().setSequence(1_000).setDigest(digest);
    for (int i = 0; i < replicas.size(); i++) {
      status.addPeers(
          Replica.Peer.newBuilder().setNumber(i).setEdgeAddress(replicas.get(i).address()));
    }
    return status.build();
  }

  private static List<String> squeezed(Said said) {
    assertThat(said.err()).isEmpty();
    return said.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
  }
}
