package io.kairos.edge.tls;

import io.kairos.api.tls.TlsMaterial;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.fuzzing.ParserFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * PEM files of TLS are used or refused, and nothing of a private key is in a refusal. An input is
 * certificates, key and CA certificates, with a line of four {@code =} between them.
 */
class CertificateFilesFuzzTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  /** Shorter pieces of a key may be words. */
  private static final int SECRET_CHARACTERS = 24;

  @TempDir static Path folder;

  @TestFactory
  Stream<DynamicTest> every_file_is_used_or_refused() {
    return Stream.of(
        ParserFuzz.text("tls-files", CertificateFilesFuzzTest::read)
            .refusing(UnusableTlsException.class)
            .test());
  }

  private static void read(String text) throws IOException {
    String[] parts = text.split("====\n", 3);
    Path certificate = Files.writeString(folder.resolve("tls.crt"), parts[0]);
    String secret = parts.length < 2 ? "" : parts[1];
    Path key = Files.writeString(folder.resolve("tls.key"), secret);
    Path ca = Files.writeString(folder.resolve("ca.crt"), parts.length < 3 ? "" : parts[2]);
    try {
      TlsMaterial read =
          new TlsConfig(certificate, key, Optional.of(ca), Optional.empty()).files().read(NOW);
      requireHidden(read.own().toString(), secret);
    } catch (UnusableTlsException e) {
      requireHidden(String.valueOf(e.getMessage()), secret);
      throw e;
    }
  }

  private static void requireHidden(String shown, String key) {
    for (String line : key.lines().toList()) {
      if (line.length() >= SECRET_CHARACTERS
          && !line.startsWith("-----")
          && shown.contains(line.substring(0, SECRET_CHARACTERS))) {
        throw new AssertionError("shows the key: " + shown);
      }
    }
  }
}
