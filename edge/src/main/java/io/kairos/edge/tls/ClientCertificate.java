package io.kairos.edge.tls;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The certificate that a client has shown in its TLS handshake, which has verified it. */
public final class ClientCertificate {
  /** Kinds of names in a certificate, by RFC 5280: e-mail address, DNS name, URI. */
  private static final List<Integer> KINDS = List.of(1, 2, 6);

  private ClientCertificate() {}

  /**
   * The names of the caller's verified certificate: its DNS names, URIs and e-mail addresses, as
   * they are written there; the common name of its subject only when it has no alternative name at
   * all. Empty without TLS or without a certificate. Costs a parse of the names at each call; does
   * not block.
   */
  public static List<String> names(ServiceRequestContext request) {
    SSLSession session = request.sslSession();
    if (session == null) {
      return List.of();
    }
    try {
      return session.getPeerCertificates()[0] instanceof X509Certificate shown
          ? names(shown)
          : List.of();
    } catch (SSLPeerUnverifiedException _) { // the client has shown none
      return List.of();
    }
  }

  static List<String> names(X509Certificate shown) {
    @Nullable Collection<List<?>> alternatives;
    try {
      alternatives = shown.getSubjectAlternativeNames();
    } catch (CertificateParsingException _) { // a name that nobody can read is no name
      return List.of();
    }
    if (alternatives == null) {
      return commonNames(shown);
    }
    return alternatives.stream()
        .filter(name -> name.get(0) instanceof Integer kind && KINDS.contains(kind))
        .map(name -> String.valueOf(name.get(1)))
        .toList();
  }

  private static List<String> commonNames(X509Certificate shown) {
    try {
      return new LdapName(shown.getSubjectX500Principal().getName())
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(Rdn::getValue)
              .filter(String.class::isInstance)
              .map(String.class::cast)
              .toList();
    } catch (InvalidNameException _) {
      return List.of();
    }
  }
}
