package io.kairos.edge.tls;

import static java.util.Objects.requireNonNull;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.engine.setting.Setting;
import java.nio.file.Path;
import java.util.Optional;

/** Settings of TLS at the HTTP edge. */
public record TlsConfig(
    @Setting(
            key = CERTIFICATE,
            required = true,
            otherwise = TOGETHER,
            description =
                "PEM file of the certificate of the HTTP edge, followed by those between it and its CA. With it the port speaks HTTPS only. Read again when it changes.")
        Path certificate,
    @Setting(
            key = KEY,
            required = true,
            otherwise = TOGETHER,
            description =
                "PEM file of its private key, RSA or EC, in PKCS 8 without a password. Read again when it changes.")
        Path key,
    @Setting(
            key = CLIENT_CA,
            description =
                "PEM file of the CA certificates of clients: with it clients show a certificate of one of these. Read again when it changes.")
        Optional<Path> clientCa,
    @Setting(
            key = CLIENT_CERTIFICATES,
            description =
                "Whether each client needs a certificate of http.tls.client-ca: `required`, which holds when this is left out, or `optional`. One that is shown must be good in both cases.")
        Optional<ClientNeeds> clientCertificates) {
  public static final String CERTIFICATE = "http.tls.certificate";
  public static final String KEY = "http.tls.key";
  public static final String CLIENT_CA = "http.tls.client-ca";
  private static final String CLIENT_CERTIFICATES = "http.tls.client-certificates";
  static final String TOGETHER =
      "the HTTP edge speaks TLS with both " + CERTIFICATE + " and " + KEY + ", or not at all";

  /** Whether a client may come without a certificate. */
  public enum ClientNeeds {
    OPTIONAL,
    REQUIRED
  }

  /** Throws {@link IllegalArgumentException} that names the settings in conflict. */
  public TlsConfig {
    requireNonNull(certificate, "certificate");
    requireNonNull(key, "key");
    if (clientCertificates.isPresent() && clientCa.isEmpty()) {
      throw new IllegalArgumentException(
          CLIENT_CERTIFICATES
              + " is set without "
              + CLIENT_CA
              + ", so no client could be checked: name the CA certificates of clients there, or"
              + " remove it");
    }
  }

  /** TLS without certificates of clients. */
  public static TlsConfig of(Path certificate, Path key) {
    return new TlsConfig(certificate, key, Optional.empty(), Optional.empty());
  }

  /** True when a client without a certificate is refused. */
  public boolean requiresClients() {
    return clientCa.isPresent()
        && clientCertificates.orElse(ClientNeeds.REQUIRED) == ClientNeeds.REQUIRED;
  }

  /** The files of these settings. */
  public CertificateFiles files() {
    return new CertificateFiles(
        Optional.of(
            new CertificateFiles.Own(
                new CertificateFiles.PemFile(CERTIFICATE, certificate),
                new CertificateFiles.PemFile(KEY, key))),
        clientCa.map(file -> new CertificateFiles.PemFile(CLIENT_CA, file)));
  }
}
