package io.kairos.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncryptionKeyFileTest {
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

  @TempDir private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("keys"), text);
  }

  /** Two looks have to find the same; true when the second one took it. */
  private static boolean look(EncryptionKeyFile keys) {
    assertThat(keys.look()).isFalse();
    return keys.look();
  }

  @Test
  void a_changed_file_is_read_again_and_an_unusable_one_changes_nothing() throws IOException {
    EncryptionKeyFile keys = new EncryptionKeyFile(file("k1:" + KEY + "\n"));

    assertThat(keys.get().first()).contains("k1");
    assertThat(look(keys)).isFalse();

    file("k2:" + KEY + "\nk1:" + KEY + "\n");
    assertThat(look(keys)).isTrue();
    assertThat(keys.get().first()).contains("k2");

    file("k3:c2hvcnQ=");
    assertThat(look(keys)).isFalse();
    Files.delete(directory.resolve("keys"));
    assertThat(look(keys)).isFalse();
    assertThat(keys.get().first()).contains("k2");
  }

  @Test
  void a_file_that_is_half_written_is_not_used() throws IOException {
    EncryptionKeyFile keys = new EncryptionKeyFile(file("k1:" + KEY + "\n"));

    file("k2:" + KEY + "\n");
    assertThat(keys.look()).isFalse();
    file("k2:" + KEY + "\nk1:" + KEY + "\n");
    assertThat(keys.look()).isFalse();
    assertThat(keys.get().first()).contains("k1");

    assertThat(keys.look()).isTrue();
    assertThat(keys.get().first()).contains("k2");
  }

  @Test
  void what_is_unusable_at_first_is_refused_by_setting_file_and_line() throws IOException {
    Path bad = file("k1:" + KEY + "\nk2:c2hvcnQ=\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EncryptionKeyFile(bad))
        .withMessageContaining("push.encryption-key-file: the file " + bad)
        .withMessageContaining("the key of line 2 has 5 bytes, not 32");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EncryptionKeyFile(directory.resolve("none")))
        .withMessageContaining("cannot be read");
  }
}
