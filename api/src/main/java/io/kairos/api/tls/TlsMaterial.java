package io.kairos.api.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A checked key pair and trusted certificates.
 *
 * @param own the key pair that this side shows; empty for none
 * @param trusted the CA certificates of the other side; empty for those of the system
 */
public record TlsMaterial(Optional<Pair> own, List<X509Certificate> trusted) {
  /** A key, its certificate, and the certificates between that and its CA. */
  public record Pair(PrivateKey key, List<X509Certificate> chain) {
    public Pair {
      chain = List.copyOf(chain);
    }

    /** The subject, without the key. */
    @Override
    public String toString() {
      return "Pair[" + chain.get(0).getSubjectX500Principal() + "]";
    }
  }

  public TlsMaterial {
    trusted = List.copyOf(trusted);
  }

  /** The end of the own certificate; empty without one. */
  public Optional<Instant> expiry() {
    return own.map(pair -> pair.chain.get(0).getNotAfter().toInstant());
  }
}
