package io.kairos.client.encryption;

import static io.kairos.client.encryption.TestKeys.line;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PayloadKeysTest {
  private static final byte[] DATA_KEY = "a data key has thirty-two bytes.".getBytes(UTF_8);

  @Test
  void the_first_key_of_a_file_is_current_and_every_key_unwraps(@TempDir Path folder)
      throws Exception {
    Path file = Files.writeString(folder.resolve("keys"), line("old", 1));
    byte[] wrapped = PayloadKeys.ofFile(file).wrap("old", DATA_KEY);
    Files.writeString(file, "# in use since May\n\n" + line("urn:new/2", 2) + line("old", 1));

    PayloadKeys keys = PayloadKeys.ofFile(file);

    assertThat(keys.currentId()).isEqualTo("urn:new/2");
    assertThat(keys.unwrap("old", wrapped)).isEqualTo(DATA_KEY);
    assertThatThrownBy(() -> keys.unwrap("urn:new/2", wrapped))
        .isInstanceOf(InvalidKeyException.class);
    assertThatThrownBy(() -> keys.unwrap("older", wrapped))
        .isInstanceOf(PayloadDecryptionException.class)
        .hasMessageContaining("the key older");
  }

  @Test
  void a_refused_line_is_named_by_its_number_and_not_shown() {
    refused("secret", 1, "must begin with an id");
    refused(":c2VjcmV0", 1, "must begin with an id");
    refused("k 1:c2VjcmV0", 1, "must begin with an id");
    refused("k".repeat(65) + ":c2VjcmV0", 1, "must begin with an id");
    refused(line("a", 1) + "b:c2VjcmV0", 2, "32 bytes in base64");
    refused("a:?secret?", 1, "32 bytes in base64");
    refused(line("a", 1) + line("a", 2), 2, "a line before it has");
    assertThatThrownBy(() -> PayloadKeys.parse("# none")).hasMessageContaining("no line");
  }

  private static void refused(String text, int line, String rule) {
    assertThatThrownBy(() -> PayloadKeys.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageContaining("line " + line)
        .hasMessageContaining(rule)
        .hasMessageNotContaining("secret");
  }
}
