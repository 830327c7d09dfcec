package io.kairos.bench.rig;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.CertificateFiles.Own;
import io.kairos.api.tls.CertificateFiles.PemFile;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.bench.measure.NodeMetrics;
import io.kairos.client.net.ConnectionBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The files by which clients and workers reach nodes. A part of the settings of worker processes.
 *
 * @param authorities CA certificates of nodes that speak TLS; null for none
 * @param certificate shown to nodes; null for none
 * @param key of the certificate
 * @param token file with the API token; null for none
 */
public record NodeAccess(
    @Nullable Path authorities,
    @Nullable Path certificate,
    @Nullable Path key,
    @Nullable Path token) {
  /** Nodes without TLS that ask for nothing. */
  static final NodeAccess PLAIN = new NodeAccess(null, null, null, null);

  private static final char[] PASSWORD = "of this process".toCharArray();

  /** TLS without anything that is shown. */
  static NodeAccess trusting(Path authorities) {
    return new NodeAccess(authorities, null, null, null);
  }

  /** The same with another token file, or none. */
  public NodeAccess with(@Nullable Path tokenFile) {
    return new NodeAccess(authorities, certificate, key, tokenFile);
  }

  /** Has a client or a worker use the files. */
  public <B extends ConnectionBuilder<B>> B apply(B builder) {
    if (authorities != null) {
      builder.trustedCertificates(authorities);
    }
    if (certificate != null && key != null) {
      builder.clientCertificate(certificate, key);
    }
    return token == null ? builder : builder.tokenFile(token);
  }

  /** Lets this process ask nodes for their readiness and metrics, by the files as they are now. */
  public void useHere() {
    if (authorities == null) {
      return;
    }
    Optional<Own> own =
        certificate == null || key == null
            ? Optional.empty()
            : Optional.of(
                new Own(
                    new PemFile("certificate of the bench", certificate),
                    new PemFile("its key", key)));
    TlsMaterial read =
        new CertificateFiles(own, Optional.of(new PemFile("--tls", authorities)))
            .read(Instant.now());
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      for (X509Certificate each : read.trusted()) {
        trusted.setCertificateEntry(each.getSerialNumber().toString(), each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      KeyStore shown = KeyStore.getInstance("PKCS12");
      shown.load(null, null);
      if (read.own().isPresent()) {
        TlsMaterial.Pair pair = read.own().get();
        shown.setKeyEntry(
            "bench", pair.key(), PASSWORD, pair.chain().toArray(new X509Certificate[0]));
      }
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(shown, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      NodeMetrics.use(context);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the JVM has no TLS", e);
    }
  }
}
