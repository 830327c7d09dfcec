package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import io.kairos.engine.setting.Setting;
import java.nio.file.Path;

/**
 * How replicas prove to each other who they are: by a certificate that these trust, and that is for
 * the host of their place among the peers. PEM files.
 */
public record TlsFiles(
    @Setting(
            key = KEY,
            required = true,
            otherwise = TOGETHER,
            description =
                "PEM file of this replica's private key (PKCS 8), for TLS between replicas.")
        Path key,
    @Setting(
            key = CHAIN,
            required = true,
            otherwise = TOGETHER,
            description =
                "PEM file of its certificate, and of those between it and a trusted one. The certificate has the host of this replica in replica.peers as a DNS name or IP address.")
        Path chain,
    @Setting(
            key = TRUSTED,
            required = true,
            otherwise = TOGETHER,
            description =
                "PEM file of the certificates that are trusted: whoever has one of theirs, for a host in replica.peers, is the replica there.")
        Path trusted) {
  public static final String KEY = "replica.tls.private-key-file";
  public static final String CHAIN = "replica.tls.certificate-file";
  public static final String TRUSTED = "replica.tls.trusted-file";
  static final String TOGETHER = "the three files of replica.tls go together";

  public TlsFiles {
    requireNonNull(key, "key");
    requireNonNull(chain, "chain");
    requireNonNull(trusted, "trusted");
  }
}
