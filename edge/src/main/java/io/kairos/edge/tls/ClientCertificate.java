package io.kairos.edge.tls;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The certificate that a client has shown in its TLS handshake, which has verified it. */
public final class ClientCertificate {
  private static final String COMMON_NAME = "cn:";

  /** The kinds of alternative names that count, by their numbers of RFC 5280. */
  private static final Map<Integer, String> ALTERNATIVES =
      Map.of(1, "email:", 2, "dns:", 6, "uri:");

  /** How names begin: each has its kind, so that none is taken for another's of another kind. */
  public static final List<String> KINDS = List.of("dns:", "uri:", "email:", COMMON_NAME);

  private ClientCertificate() {}

  /**
   * The names of the caller's verified certificate, each after its kind: its DNS names, URIs and
   * e-mail addresses, as they are written there; the common name of its subject only when it has no
   * alternative name at all. Empty without TLS or without a certificate. Costs a parse of the names
   * at each call; does not block.
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
        .flatMap(name ->
            Stream.ofNullable(ALTERNATIVES.get(name.get(0))).map(kind -> kind + name.get(1)))
        .toList();
  }

  private static List<String> commonNames(X509Certificate shown) {
    try {
      return new LdapName(shown.getSubjectX500Principal().getName())
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(Rdn::getValue)
              .filter(String.class::isInstance)
              .map(name -> COMMON_NAME + name)
              .toList();
    } catch (InvalidNameException _) {
      return List.of();
    }
  }
}
