package io.kairos.push;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.common.TlsKeyPair;
import io.kairos.engine.tls.PemKeyPair;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Credentials for https endpoints as their files had them. Every reading makes another one, with
 * connections of its own. Immutable.
 */
final class TlsIdentity {
  private final String name;
  private final List<X509Certificate> trusted;
  private final @Nullable PemKeyPair own;

  /**
   * @param trusted empty for the CAs of the system
   * @param own null for no client certificate
   */
  TlsIdentity(String name, List<X509Certificate> trusted, @Nullable PemKeyPair own) {
    this.name = name;
    this.trusted = List.copyOf(trusted);
    this.own = own;
  }

  /** Sets these credentials; building may fail when TLS has no use for them. */
  ClientFactoryBuilder addTo(ClientFactoryBuilder builder) {
    if (!trusted.isEmpty()) {
      builder.tlsCustomizer(tls -> tls.trustManager(trusted));
    }
    return own == null ? builder : builder.tls(TlsKeyPair.of(own.key(), own.chain()));
  }

  /**
   * Throws {@link IllegalArgumentException} when TLS has no use for the credentials, such as for a
   * key of a rare kind; connections that cannot be made later would stop the pushes of all pools.
   */
  TlsIdentity checked() {
    try {
      var _ = addTo(ClientFactory.builder()).build().closeAsync();
      return this;
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("TLS cannot use " + this + ": " + e, e);
    }
  }

  @Override
  public String toString() {
    return "TlsIdentity[%s, %s]".formatted(name, own);
  }
}
