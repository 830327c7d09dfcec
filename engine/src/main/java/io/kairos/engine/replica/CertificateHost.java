package io.kairos.engine.replica;

import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** By which hosts a certificate names a replica. A wildcard names none. */
public final class CertificateHost {
  /** Kinds of names in a certificate, by RFC 5280. */
  private static final int DNS_NAME = 2;

  private static final int IP_ADDRESS = 7;

  private CertificateHost() {}

  /** Whether a certificate is for a host, which is a name or an IP address. */
  public static boolean isFor(String host, X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names != null && names.stream().anyMatch(name -> isOf(host, name));
    } catch (CertificateParsingException _) {
      return false;
    }
  }

  private static boolean isOf(String host, List<?> name) {
    return name.get(1) instanceof String text
        && name.get(0) instanceof Integer kind
        && switch (kind) {
          case DNS_NAME -> text.equalsIgnoreCase(host);
          case IP_ADDRESS -> literal(host).filter(InetAddress.ofLiteral(text)::equals).isPresent();
          default -> false;
        };
  }

  /** The IP address that a host is written as; empty for a name. */
  public static Optional<InetAddress> literal(String host) {
    try {
      return Optional.of(
          InetAddress.ofLiteral(
              host.startsWith("[") ? host.substring(1, host.length() - 1) : host));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
