package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerKeysTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "null{\"keys\": []}", "[]", "{}", "{\"keys\": []}"})
  void a_file_without_keys_is_refused(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("keys.json"), text);
    IssuerConfig issuer =
        new IssuerConfig(
            "corp",
            "https://login.example.com",
            "kairos",
            "roles",
            Optional.empty(),
            Optional.of(file));

    assertThatThrownBy(() -> new IssuerKeys(issuer, () -> 0))
        .isInstanceOf(UnusableCredentialsException.class);
  }
}
