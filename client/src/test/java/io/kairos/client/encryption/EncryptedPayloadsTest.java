package io.kairos.client.encryption;

import static io.kairos.client.encryption.TestKeys.line;
import static io.kairos.client.encryption.TestKeys.payloads;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.Graph;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.encryption.PayloadDecryptionException.Reason;
import io.kairos.client.error.InvalidRequestException;
import java.security.InvalidKeyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class EncryptedPayloadsTest {
  private static final PayloadTarget MAIL = PayloadTarget.handler("mail");
  private static final byte[] CANARY = "canary of Anna".getBytes(UTF_8);
  private static final String TASK = "019b76da-a800-7000-8000-000000000004";

  private final EncryptedPayloads payloads = payloads(line("k1", 1));

  private static Reason refusal(EncryptedPayloads by, PayloadTarget target, byte[] stored) {
    PayloadDecryptionException refused =
        catchThrowableOfType(PayloadDecryptionException.class, () -> by.decrypt(target, stored));
    assertThat(refused).isNotNull().hasMessageNotContaining("canary");
    return refused.reason();
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  @Test
  void a_payload_comes_back_and_what_is_stored_shows_the_key_id_only() {
    byte[] stored = payloads.encrypt(MAIL, CANARY);

    assertThat(payloads(line("k1", 1)).decrypt(MAIL, stored)).isEqualTo(CANARY);
    assertThat(latin(stored)).doesNotContain("canary").doesNotContain("mail").contains("k1");
    PayloadEnvelope header = PayloadEnvelope.of(stored).orElseThrow();
    assertThat(header.keyId()).isEqualTo("k1");
    assertThat(header.payloadName()).hasSize(32);
    assertThat(stored).hasSizeLessThan(CANARY.length + 110);
    assertThat(payloads.decrypt(MAIL, payloads.encrypt(MAIL, new byte[0]))).isEmpty();
  }

  @Test
  void a_value_comes_back_for_its_task_alone_also_one_that_was_encrypted_as_a_text() {
    byte[] stored = payloads.encryptResult(MAIL, TASK, CANARY);
    byte[] asText = payloads.encryptResult(MAIL, TASK, "canary").getBytes(UTF_8);

    assertThat(latin(stored)).doesNotContain("canary");
    assertThat(payloads.decryptResult(MAIL, TASK, stored)).isEqualTo(CANARY);
    assertThat(payloads.decryptResult(MAIL, TASK, asText)).isEqualTo("canary".getBytes(UTF_8));
    for (byte[] one : List.of(stored, asText)) {
      assertThatThrownBy(() -> payloads.decryptResult(MAIL, "another", one))
          .isInstanceOf(PayloadDecryptionException.class);
    }
    assertThatThrownBy(() -> payloads.decryptResult(MAIL, TASK, CANARY))
        .isInstanceOf(PayloadDecryptionException.class);
    assertThat(payloads.acceptingPlaintext().decryptResult(MAIL, TASK, CANARY)).isEqualTo(CANARY);
  }

  @Test
  void stacks_and_notes_are_encrypted_within_their_bounds() {
    String stack = payloads.encryptStack(MAIL, TASK, "é".repeat(9_000));
    String note = payloads.encryptNote(MAIL, TASK, "n".repeat(500));

    assertThat(stack).hasSizeBetween(7_000, 8_000);
    assertThat(payloads.decryptError(MAIL, TASK, stack)).startsWith("ééé");
    assertThat(note).hasSizeLessThanOrEqualTo(1_000);
    assertThat(payloads.decryptNote(MAIL, TASK, note)).isEqualTo("n".repeat(500));
    assertThat(payloads.decryptError(MAIL, TASK, note)).isEqualTo(note);
  }

  @Test
  void every_payload_has_its_own_name_and_nonce_also_under_one_data_key() {
    Set<String> stored = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      byte[] one = payloads.encrypt(MAIL, CANARY);
      stored.add(latin(Arrays.copyOfRange(one, one.length - CANARY.length - 16, one.length)));
      names.add(PayloadEnvelope.of(one).orElseThrow().payloadName());
    }

    assertThat(stored).hasSize(1_000);
    assertThat(names).hasSize(1_000);
  }

  @Test
  void a_change_of_any_bit_or_a_cut_is_refused() {
    byte[] stored = payloads.encrypt(MAIL, CANARY);

    for (int bit = 0; bit < stored.length * 8; bit++) {
      byte[] changed = stored.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      Reason reason = refusal(payloads, MAIL, changed);
      assertThat(reason)
          .as("bit %d", bit)
          .isEqualTo(
              bit < 24
                  ? Reason.NOT_ENCRYPTED
                  : bit < 32
                      ? Reason.UNKNOWN_VERSION
                      : reason == Reason.UNKNOWN_KEY ? Reason.UNKNOWN_KEY : Reason.TAMPERED);
    }
    for (int length = 0; length < stored.length; length++) {
      assertThat(refusal(payloads, MAIL, Arrays.copyOf(stored, length)))
          .as("length %d", length)
          .isEqualTo(length < 3 ? Reason.NOT_ENCRYPTED : Reason.TAMPERED);
    }
    assertThat(refusal(payloads, MAIL, Arrays.copyOf(stored, stored.length + 1)))
        .isEqualTo(Reason.TAMPERED);
  }

  @Test
  void a_payload_of_another_handler_pool_or_topic_is_refused() {
    byte[] stored = payloads.encrypt(MAIL, CANARY);

    assertThat(refusal(payloads, PayloadTarget.handler("pay"), stored)).isEqualTo(Reason.TAMPERED);
    assertThat(refusal(payloads, PayloadTarget.pool("mail"), stored)).isEqualTo(Reason.TAMPERED);
    assertThat(refusal(payloads, PayloadTarget.topic("mail"), stored)).isEqualTo(Reason.TAMPERED);
    assertThat(PayloadTarget.pool("mail")).isEqualTo(PayloadTarget.handler("pool:mail"));
  }

  @Test
  void a_missing_key_is_named_and_another_key_of_the_same_id_is_refused() {
    byte[] stored = payloads.encrypt(MAIL, CANARY);

    assertThatThrownBy(() -> payloads(line("k2", 1)).decrypt(MAIL, stored))
        .hasMessageContaining("the key k1, which this process does not have");
    assertThat(refusal(payloads(line("k2", 1)), MAIL, stored)).isEqualTo(Reason.UNKNOWN_KEY);
    assertThat(refusal(payloads(line("k1", 9)), MAIL, stored)).isEqualTo(Reason.TAMPERED);
  }

  @Test
  void a_new_first_key_encrypts_while_the_old_one_still_decrypts() {
    byte[] before = payloads.encrypt(MAIL, CANARY);
    EncryptedPayloads ready = payloads(line("k1", 1) + line("k2", 2));
    EncryptedPayloads rotated = payloads(line("k2", 2) + line("k1", 1));

    byte[] after = rotated.encrypt(MAIL, CANARY);

    assertThat(PayloadEnvelope.of(after).orElseThrow().keyId()).isEqualTo("k2");
    assertThat(rotated.decrypt(MAIL, before)).isEqualTo(CANARY);
    assertThat(ready.decrypt(MAIL, after)).isEqualTo(CANARY);
    assertThat(rotated.isCurrent(MAIL, after, CANARY)).isTrue();
    assertThat(rotated.isCurrent(MAIL, before, CANARY)).isFalse();
    assertThat(rotated.isCurrent(MAIL, after, new byte[0])).isFalse();
    assertThat(rotated.isCurrent(MAIL, CANARY, CANARY)).isFalse();
  }

  @Test
  void plain_text_is_refused_unless_it_is_accepted_and_then_tampering_still_is() {
    assertThat(refusal(payloads, MAIL, CANARY)).isEqualTo(Reason.NOT_ENCRYPTED);
    assertThat(refusal(payloads, MAIL, new byte[0])).isEqualTo(Reason.NOT_ENCRYPTED);
    EncryptedPayloads both = payloads.acceptingPlaintext();
    byte[] changed = both.encrypt(MAIL, CANARY);
    changed[changed.length - 1]++;

    assertThat(both.decrypt(MAIL, CANARY)).isEqualTo(CANARY);
    assertThat(refusal(both, MAIL, changed)).isEqualTo(Reason.TAMPERED);
  }

  @Test
  void a_result_belongs_to_its_task_and_is_refused_when_it_does_not_fit() {
    String longest = "é".repeat(600) + "x".repeat(130);
    String stored = payloads.encryptResult(MAIL, TASK, longest);

    assertThat(stored).hasSizeLessThanOrEqualTo(2_000).doesNotContain("é");
    assertThat(payloads.decryptResult(MAIL, TASK, stored)).isEqualTo(longest);
    assertThatThrownBy(() -> payloads.decryptResult(MAIL, "another", stored))
        .isInstanceOf(PayloadDecryptionException.class);
    assertThatThrownBy(() -> payloads.encryptResult(MAIL, TASK, "x".repeat(1_500)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("it has 1,500");
    assertThatThrownBy(() -> payloads.decryptResult(MAIL, TASK, "plain"))
        .isInstanceOf(PayloadDecryptionException.class);
    assertThat(payloads.acceptingPlaintext().decryptResult(MAIL, TASK, "plain")).isEqualTo("plain");
    assertThat(payloads.decryptResult(MAIL, TASK, "")).isEmpty();
  }

  @Test
  void an_error_text_is_cut_to_what_fits_and_one_that_cannot_be_read_stays_as_it_is() {
    String stored = payloads.encryptError(MAIL, TASK, "a" + "é".repeat(2_000));
    String open = payloads.decryptError(MAIL, TASK, stored);

    assertThat(stored).hasSizeBetween(1_970, 1_980);
    assertThat(open).matches("aé+").hasSizeGreaterThan(600);
    assertThat(payloads.decryptError(MAIL, TASK, "HTTP 500: " + stored))
        .isEqualTo("HTTP 500: " + open);
    assertThat(payloads.decryptError(MAIL, "another", stored)).isEqualTo(stored);
    assertThat(payloads.decryptError(MAIL, TASK, "the lease has lapsed"))
        .isEqualTo("the lease has lapsed");
    assertThat(payloads.decryptError(MAIL, TASK, "kairos-encrypted:x"))
        .isEqualTo("kairos-encrypted:x");
  }

  /** Stands for a key management service. */
  private static class CountingKeys implements PayloadKeys {
    private final PayloadKeys inner = PayloadKeys.parse(line("k1", 1) + line("k2", 2));
    final AtomicInteger wraps = new AtomicInteger();
    private final AtomicInteger unwraps = new AtomicInteger();
    private volatile String current = "k1";

    @Override
    public String currentId() {
      return current;
    }

    @Override
    public byte[] wrap(String id, byte[] dataKey) {
      wraps.incrementAndGet();
      return inner.wrap(id, dataKey);
    }

    @Override
    public byte[] unwrap(String id, byte[] wrapped) throws InvalidKeyException {
      unwraps.incrementAndGet();
      return inner.unwrap(id, wrapped);
    }
  }

  @Test
  void a_data_key_is_wrapped_once_for_65536_payloads_or_until_the_current_key_changes() {
    CountingKeys keys = new CountingKeys();
    DataKeys dataKeys = new DataKeys(keys);
    for (int i = 0; i < DataKeys.MOST_PAYLOADS; i++) {
      dataKeys.next();
    }
    assertThat(keys.wraps).hasValue(1);

    dataKeys.next();
    assertThat(keys.wraps).hasValue(2);

    keys.current = "k2";
    assertThat(dataKeys.next().keyId()).isEqualTo("k2");
    assertThat(keys.wraps).hasValue(3);
  }

  @Test
  void a_data_key_that_another_thread_has_just_made_is_used() {
    AtomicReference<DataKeys> all = new AtomicReference<>();
    AtomicReference<DataKeys.Wrapped> other = new AtomicReference<>();
    DataKeys dataKeys =
        new DataKeys(
            new CountingKeys() {
              @Override
              public byte[] wrap(String id, byte[] dataKey) {
                if (wraps.get() == 0) { // as a faster thread, while this one wraps
                  wraps.incrementAndGet();
                  other.set(all.get().next());
                }
                return super.wrap(id, dataKey);
              }
            });
    all.set(dataKeys);

    DataKeys.Wrapped first = dataKeys.next();

    assertThat(first).isSameAs(other.get()).isSameAs(dataKeys.next());
  }

  @Test
  void the_bytes_of_a_data_key_are_cleared_after_use() {
    List<byte[]> seen = new ArrayList<>();
    CountingKeys keys =
        new CountingKeys() {
          @Override
          public byte[] wrap(String id, byte[] dataKey) {
            seen.add(dataKey);
            return super.wrap(id, dataKey);
          }

          @Override
          public byte[] unwrap(String id, byte[] wrapped) throws InvalidKeyException {
            byte[] dataKey = super.unwrap(id, wrapped);
            seen.add(dataKey);
            return dataKey;
          }
        };
    EncryptedPayloads by = EncryptedPayloads.with(keys);

    assertThat(by.decrypt(MAIL, by.encrypt(MAIL, CANARY))).isEqualTo(CANARY);

    assertThat(seen).hasSize(2).allSatisfy(key -> assertThat(key).containsOnly(0));
  }

  @Test
  void a_text_fits_also_when_the_current_key_changes_to_one_with_a_longer_id() {
    String longId = "k".repeat(64);
    PayloadKeys file = PayloadKeys.parse(line("k1", 1) + line(longId, 2));
    CountingKeys keys =
        new CountingKeys() {
          private int asked;

          @Override
          public String currentId() {
            return asked++ % 2 == 0 ? "k1" : longId;
          }

          @Override
          public byte[] wrap(String id, byte[] dataKey) {
            return file.wrap(id, dataKey);
          }
        };
    EncryptedPayloads by = EncryptedPayloads.with(keys);

    for (int i = 0; i < 4; i++) {
      assertThat(by.encryptError(MAIL, TASK, "x".repeat(2_000))).hasSizeLessThanOrEqualTo(1_980);
    }
  }

  @Test
  void a_data_key_is_unwrapped_once_while_it_is_remembered() {
    CountingKeys keys = new CountingKeys();
    EncryptedPayloads by = EncryptedPayloads.with(keys);
    byte[] one = by.encrypt(MAIL, CANARY);
    byte[] two = by.encrypt(MAIL, CANARY);

    assertThat(by.decrypt(MAIL, one)).isEqualTo(by.decrypt(MAIL, two));

    assertThat(keys.unwraps).hasValue(1);
  }

  @Test
  void payloads_of_the_steps_of_a_schedule_are_encrypted_and_stay_when_they_are_the_same() {
    MessageEncryption messages = MessageEncryption.of(payloads);
    io.kairos.api.v1.Schedule plain =
        ScheduleSpec.named("nightly").every(Duration.ofHours(1)).graph(graph()).build().wire();

    io.kairos.api.v1.Schedule stored = messages.encrypted(plain);

    assertThat(stored.toByteString().toString(ISO_8859_1)).doesNotContain("canary");
    assertThat(messages.decrypted(stored)).isEqualTo(plain);
    assertThat(messages.encrypted(plain, stored)).isEqualTo(stored);
    assertThat(
            messages
                .encrypted(plain.toBuilder().clearTarget().clearEvery().build(), List.of("steps"))
                .getSteps(0)
                .getTarget()
                .getPayload())
        .isNotEqualTo(plain.getSteps(0).getTarget().getPayload());
  }

  private static Graph graph() {
    Graph graph = new Graph();
    Graph.Step load = graph.add(TaskRequest.to("load").payload(CANARY).build());
    graph.add(TaskRequest.to("mail").payload(CANARY).build()).after(load);
    return graph;
  }

  @Test
  void a_graph_of_a_schedule_has_no_task_of_its_own_time() {
    Graph graph = graph();
    graph.add(TaskRequest.to("late").delay(Duration.ofHours(1)).build());

    assertThatThrownBy(() -> ScheduleSpec.named("nightly").graph(graph))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("graph");
  }
}
