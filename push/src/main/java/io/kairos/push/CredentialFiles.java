package io.kairos.push;

import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.CertificateFiles.Own;
import io.kairos.api.tls.CertificateFiles.PemFile;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.nio.file.Path;
import java.util.Optional;

/**
 * PEM files of credentials for https endpoints, which pools name.
 *
 * @param name chosen by the operator
 */
public record CredentialFiles(
    String name,
    @Setting(
            key = "push.tls.<name>.ca",
            description =
                "PEM file of the CAs that are trusted for https endpoints of the pools whose tls is this name, instead of those of the system. Files of push.tls are read again when they change.")
        Optional<Path> ca,
    @Setting(
            key = "push.tls.<name>.certificate",
            description =
                "PEM file of the client certificate that is presented to these endpoints, and of those between it and a trusted one.")
        Optional<Path> certificate,
    @Setting(
            key = "push.tls.<name>.key",
            description =
                "PEM file of the private key of this certificate (PKCS 8, without a password).")
        Optional<Path> key) {
  private static final String PREFIX = "push.tls.";

  /** Throws {@link IllegalArgumentException} that names the settings. */
  public CredentialFiles {
    ConfigRecord.check(CredentialFiles.class, name, ca, certificate, key);
    if (certificate.isPresent() != key.isPresent()) {
      throw new IllegalArgumentException(
          "%1$s.certificate and %1$s.key go together".formatted(PREFIX + name));
    }
    if (ca.isEmpty() && certificate.isEmpty()) {
      throw new IllegalArgumentException(PREFIX + name + " needs a CA or a certificate");
    }
  }

  /** The files, named by their settings. */
  CertificateFiles certificateFiles() {
    return new CertificateFiles(
        certificate.flatMap(
            shown -> key.map(its -> new Own(pem("certificate", shown), pem("key", its)))),
        ca.map(file -> pem("ca", file)));
  }

  private PemFile pem(String leaf, Path file) {
    return new PemFile(setting(name, leaf), file);
  }

  /** The key of a setting of credentials of this name. */
  static String setting(String name, String leaf) {
    return PREFIX + name + "." + leaf;
  }
}
