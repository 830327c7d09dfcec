package io.kairos.client.encryption;

import static io.kairos.client.encryption.TestKeys.line;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.fuzzing.ParserFuzz;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Payloads and texts that whoever writes to the database has changed, and files of keys. */
class EncryptionFuzzTest {
  private static final PayloadTarget MAIL = PayloadTarget.handler("mail");
  private static final byte[] PLAIN = "to Anna".getBytes(UTF_8);

  @TestFactory
  Stream<DynamicTest> every_input_is_taken_or_refused() {
    EncryptedPayloads payloads = TestKeys.payloads(line("k1", 1) + line("k2", 2));
    byte[] encrypted = payloads.encrypt(MAIL, PLAIN);
    return Stream.of(
        ParserFuzz.bytes("encrypted-payload", input -> payloads.decrypt(MAIL, input))
            .seeds(List.of(encrypted, payloads.encrypt(MAIL, new byte[0]), PLAIN))
            .refusing(PayloadDecryptionException.class)
            .test(),
        ParserFuzz.text("encrypted-text", text -> texts(payloads, text))
            .seeds(
                List.of(
                    payloads.encryptResult(MAIL, "1", "done").getBytes(UTF_8),
                    ("HTTP 500: " + payloads.encryptError(MAIL, "1", "é")).getBytes(UTF_8)))
            .refusing(PayloadDecryptionException.class)
            .test(),
        ParserFuzz.text("payload-keys", PayloadKeys::parse)
            .refusing(IllegalArgumentException.class)
            .test());
  }

  private static void texts(EncryptedPayloads payloads, String text) {
    payloads.decryptError(MAIL, "1", text);
    payloads.decryptResult(MAIL, "1", text);
  }
}
