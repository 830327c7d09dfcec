package io.kairos.client.push;

import static io.kairos.client.encryption.TestKeys.line;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.PayloadTarget;
import io.kairos.client.encryption.TestKeys;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.RetryLater;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EncryptedReceiverTest {
  private static final PayloadTarget POOL = PayloadTarget.pool("billing");

  private final EncryptedPayloads payloads = TestKeys.payloads(line("k1", 1));

  private PushReply receive(byte[] body, Receiver receiver) throws Exception {
    return new EncryptedReceiver(payloads, "billing", receiver)
        .receive(new Push("e-1", name -> null, body));
  }

  private byte[] anna() {
    return payloads.encrypt(POOL, "Anna".getBytes(UTF_8));
  }

  @Test
  void the_receiver_sees_the_body_and_its_result_is_encrypted_for_the_execution() throws Exception {
    PushReply reply = receive(anna(), push -> PushReply.done("sent to " + push.text()));

    assertThat(reply.result()).startsWith("kairos-encrypted:");
    assertThat(payloads.decryptResult(POOL, "e-1", reply.result())).isEqualTo("sent to Anna");
    assertThat(receive(anna(), push -> PushReply.later()).isLater()).isTrue();
    assertThat(receive(anna(), push -> PushReply.done()).result()).isEmpty();
  }

  @Test
  void failures_keep_their_kind_and_delay_and_their_text_is_encrypted() {
    assertThatThrownBy(() ->
            receive(
                anna(),
                push -> {
                  throw new RetryLater("busy with " + push.text(), Duration.ofSeconds(3));
                }))
        .isInstanceOfSatisfying(
            RetryLater.class,
            later -> {
              assertThat(later.delay()).contains(Duration.ofSeconds(3));
              assertThat(payloads.decryptError(POOL, "e-1", String.valueOf(later.getMessage())))
                  .isEqualTo("busy with Anna");
            })
        .hasMessageStartingWith("kairos-encrypted:");
    assertThatThrownBy(() ->
            receive(
                anna(),
                push -> {
                  throw new IllegalStateException("no " + push.text());
                }))
        .isNotInstanceOf(FatalFailure.class)
        .hasMessageStartingWith("kairos-encrypted:");
  }

  @Test
  void a_result_that_does_not_fit_encrypted_fails_for_good() {
    assertThatThrownBy(() -> receive(anna(), push -> PushReply.done("x".repeat(1_500))))
        .isInstanceOf(FatalFailure.class)
        .hasMessageContaining("performed, but its result: must have at most");
  }

  @Test
  void a_body_of_another_pool_fails_for_good_and_plain_text_is_retried() {
    byte[] other = payloads.encrypt(PayloadTarget.pool("other"), new byte[0]);

    assertThatThrownBy(() -> receive(other, push -> PushReply.done()))
        .isInstanceOf(FatalFailure.class);
    assertThatThrownBy(() -> receive("plain".getBytes(UTF_8), push -> PushReply.done()))
        .isInstanceOf(RetryLater.class)
        .hasMessageContaining("not encrypted");
  }
}
