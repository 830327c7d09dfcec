package io.kairos.consensus;

import io.kairos.contracts.certificate.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Files of certificates for replicas. */
final class Certificates {
  private Certificates() {}

  /** A key for this machine, and its certificate that only those trust who have it. */
  static TlsFiles selfSigned(Path directory, String name) {
    return selfSigned(directory, name, "ip:127.0.0.1");
  }

  /** Each with its own key and certificate, and the trust in those of all. */
  static List<TlsFiles> trustingEachOther(Path directory, List<TlsFiles> all) {
    try {
      Path trusted = directory.resolve("trusted.crt");
      for (TlsFiles each : all) {
        Files.write(
            trusted,
            Files.readAllBytes(each.chain()),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
      return all.stream().map(each -> new TlsFiles(each.key(), each.chain(), trusted)).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * A key and its certificate, that only those trust who have it.
   *
   * @param host {@code dns:name} or {@code ip:address}
   */
  static TlsFiles selfSigned(Path directory, String name, String host) {
    TestCertificate made = TestCertificate.selfSigned(name, host);
    Path certificate = made.writeCertificate(directory.resolve(name + ".crt"));
    return new TlsFiles(made.writeKey(directory.resolve(name + ".key")), certificate, certificate);
  }
}
