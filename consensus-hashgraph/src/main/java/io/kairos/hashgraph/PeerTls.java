package io.kairos.hashgraph;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Key and certificates for TLS between replicas, which keep strangers out.
 *
 * @param chain the certificate of the key, which has the host of this replica's place among the
 *     peers, and those between it and a trusted one
 * @param trusted whoever has a certificate of one of these is let in; which replica that is, the
 *     certificate's host and the signature with which a connection begins say
 */
public record PeerTls(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> trusted) {
  private static final char[] NO_PASSWORD = {};

  public PeerTls {
    chain = List.copyOf(chain);
    trusted = List.copyOf(trusted);
  }

  /** The subject, without the key. */
  @Override
  public String toString() {
    return "PeerTls[" + chain.getFirst().getSubjectX500Principal() + "]";
  }

  /**
   * Returns what sockets are made of.
   *
   * @throws IllegalArgumentException when key and certificates cannot be used
   */
  SSLContext context() {
    try {
      KeyStore own = empty();
      own.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      KeyStore others = empty();
      for (X509Certificate each : trusted) {
        others.setCertificateEntry("trusted " + others.size(), each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(others);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "the key and certificates for TLS between replicas cannot be used: " + e.getMessage(), e);
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }
}
