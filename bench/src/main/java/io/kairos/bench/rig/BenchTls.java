package io.kairos.bench.rig;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.TlsMaterial;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A folder with {@code ca.crt}, and {@code tls.crt} and {@code tls.key} for {@code localhost}, as
 * docs/operations.md makes them.
 */
public record BenchTls(Path folder) {
  Path authorities() {
    return folder.resolve("ca.crt").toAbsolutePath();
  }

  Map<String, String> settings() {
    return Map.of(
        "http.tls.certificate", folder.resolve("tls.crt").toAbsolutePath().toString(),
        "http.tls.key", folder.resolve("tls.key").toAbsolutePath().toString());
  }

  /** Lets the HTTP clients of this process, which are made later, trust the nodes. */
  void trustHere() {
    TlsMaterial read =
        new CertificateFiles(
                Optional.empty(), Optional.of(new CertificateFiles.PemFile("--tls", authorities())))
            .read(Instant.now());
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (X509Certificate each : read.trusted()) {
        store.setCertificateEntry(each.getSubjectX500Principal().getName(), each);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      SSLContext.setDefault(context);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the JVM has no TLS", e);
    }
  }
}
