package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptStateTest {
  @TempDir Path directory;

  @Test
  void a_state_is_read_as_it_was_written_or_not_at_all() throws IOException {
    Path file = directory.resolve("state");
    byte[] state = {1, 2, 3, 4, 5};
    KeptState.write(file, new byte[] {9});
    KeptState.write(file, state);
    assertThat(KeptState.read(file)).isEqualTo(state);

    byte[] all = Files.readAllBytes(file);
    for (int damaged = 0; damaged < all.length; damaged++) {
      byte[] changed = all.clone();
      changed[damaged] ^= 1;
      Files.write(file, changed);
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> KeptState.read(file));
    }
    Files.write(file, new byte[] {1, 2});
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> KeptState.read(file));
  }
}
