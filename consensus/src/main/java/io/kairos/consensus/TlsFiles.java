package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import io.kairos.engine.setting.Setting;
import java.nio.file.Path;

/**
 * How replicas prove to each other who they are: whoever has a certificate that these trust is one
 * of them. PEM files.
 */
public record TlsFiles(
    @Setting(
            key = "replica.tls.private-key-file",
            required = true,
            otherwise = TOGETHER,
            description =
                "PEM file of this replica's private key (PKCS 8), for TLS between replicas.")
        Path key,
    @Setting(
            key = "replica.tls.certificate-file",
            required = true,
            otherwise = TOGETHER,
            description = "PEM file of its certificate, and of those between it and a trusted one.")
        Path chain,
    @Setting(
            key = "replica.tls.trusted-file",
            required = true,
            otherwise = TOGETHER,
            description =
                "PEM file of the certificates that are trusted: whoever has one of theirs is a replica.")
        Path trusted) {
  static final String TOGETHER = "the three files of replica.tls go together";

  public TlsFiles {
    requireNonNull(key, "key");
    requireNonNull(chain, "chain");
    requireNonNull(trusted, "trusted");
  }
}
