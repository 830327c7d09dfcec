package io.kairos.client;

import static io.kairos.client.encryption.TestKeys.line;
import static io.kairos.client.encryption.TestKeys.payloads;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.ListStuckKeysResponse;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.Schedule;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadKeys;
import io.kairos.client.encryption.PayloadTarget;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers of a node, of which a client with keys can decrypt a part. */
class EncryptedAnswersTest {
  private static final String ID = "01890000-0000-7000-8000-000000000001";
  private static final TaskId TASK = TaskId.of(ID);
  private static final PayloadTarget MAIL = PayloadTarget.handler("mail");
  private static final EncryptedPayloads KEYS = payloads(line("k1", 1));
  private static final EncryptedPayloads REMOVED = payloads(line("k0", 9));

  private final ScriptedTasks node = new ScriptedTasks();
  private final KairosClient client = client(KEYS);

  private KairosClient client(EncryptedPayloads with) {
    return KairosClient.builder("node")
        .transport(
            address -> InProcessChannelBuilder.forName(node.name()).overrideAuthority(address))
        .encryption(with)
        .build();
  }

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  private static io.kairos.api.v1.Task.Builder task() {
    return io.kairos.api.v1.Task.newBuilder().setId(ID).setHandler("mail");
  }

  private static Schedule schedule(byte[] payload) {
    return Schedule.newBuilder()
        .setName("nightly")
        .setTarget(
            Schedule.Target.newBuilder()
                .setHandler("mail")
                .setPayload(ByteString.copyFrom(payload)))
        .build();
  }

  private static byte[] payload(ScheduleStatus status) {
    return status.spec().wire().getTarget().getPayload().toByteArray();
  }

  @Test
  void a_list_keeps_results_that_cannot_be_decrypted_and_decrypts_the_others() {
    String removed = REMOVED.encryptResult(MAIL, ID, "secret");
    String moved = KEYS.encryptResult(MAIL, "another", "secret");
    node.answers(
        ListTasksResponse.newBuilder()
            .addTasks(task().setResult("plain"))
            .addTasks(task().setResult(removed))
            .addTasks(task().setResult(moved))
            .addTasks(task().setResult(KEYS.encryptResult(MAIL, ID, "sent")))
            .build());

    assertThat(client.list(TaskQuery.all()).tasks())
        .extracting(Task::result)
        .containsExactly("plain", removed, moved, "sent");
  }

  @Test
  void the_task_itself_is_refused_with_the_reason() {
    node.answers(task().setResult("plain").build());

    assertThatThrownBy(() -> client.get(TASK))
        .isInstanceOfSatisfying(
            PayloadDecryptionException.class,
            e -> assertThat(e.reason()).isEqualTo(PayloadDecryptionException.Reason.NOT_ENCRYPTED));
  }

  @Test
  void a_task_is_rescheduled_also_when_its_payload_cannot_be_decrypted() {
    byte[] removed = REMOVED.encrypt(MAIL, new byte[] {1});
    node.answers(task().setPayload(ByteString.copyFrom(removed)).build());

    assertThat(client.reschedule(TASK, Duration.ZERO).payload()).isEqualTo(removed);
  }

  @Test
  void changes_of_a_schedule_answer_also_when_its_payload_cannot_be_decrypted() {
    byte[] plain = "plain".getBytes(UTF_8);
    Schedule stored = schedule(plain);
    ScheduleSpec spec =
        ScheduleSpec.named("nightly").cron("0 3 * * *").handler("mail").payload("new").build();
    ScheduleClient schedules = client.schedules();
    node.answers(stored, stored, stored, stored);
    assertThat(payload(schedules.pause("nightly", ""))).isEqualTo(plain);
    assertThat(payload(schedules.resume("nightly"))).isEqualTo(plain);
    assertThat(payload(schedules.create(spec))).isEqualTo(plain);
    assertThat(payload(schedules.update(spec, List.of("cron")))).isEqualTo(plain);

    node.answers(stored, ApplyScheduleResponse.newBuilder().setSchedule(stored).build());
    assertThat(payload(schedules.apply(spec).schedule())).isEqualTo(plain);

    node.answers(stored, schedule(KEYS.encrypt(MAIL, plain)));
    assertThatThrownBy(() -> schedules.get("nightly"))
        .isInstanceOf(PayloadDecryptionException.class);
    assertThat(payload(schedules.pause("nightly", ""))).isEqualTo(plain);
  }

  /** Stands for a key management service that does not answer. */
  private static final class AbsentKeys implements PayloadKeys {
    @Override
    public String currentId() {
      return "k1";
    }

    @Override
    public byte[] wrap(String id, byte[] dataKey) {
      throw new IllegalStateException("no answer");
    }

    @Override
    public byte[] unwrap(String id, byte[] wrapped) {
      throw new IllegalStateException("no answer");
    }
  }

  @Test
  void keys_that_fail_hide_neither_an_effect_nor_a_list() {
    String error = KEYS.encryptError(MAIL, ID, "no mailbox");
    io.kairos.api.v1.Task failed = task().addFailures(Failure.newBuilder().setError(error)).build();
    node.answers(
        failed,
        ListStuckKeysResponse.newBuilder()
            .addStuckKeys(
                io.kairos.api.v1.StuckKey.newBuilder()
                    .setHandler("mail")
                    .setHead(ID)
                    .setError(error))
            .build(),
        failed);
    try (KairosClient without = client(EncryptedPayloads.with(new AbsentKeys()))) {
      assertThat(without.reschedule(TASK, Duration.ZERO).failures())
          .extracting(Task.Failure::error)
          .containsExactly(error);
      assertThat(without.handlers().stuckKeys(10))
          .extracting(key -> key.error())
          .containsExactly(error);
      assertThatThrownBy(() -> without.get(TASK)).hasMessage("no answer");
    }
  }
}
