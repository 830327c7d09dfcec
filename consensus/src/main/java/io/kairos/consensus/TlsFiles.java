package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * How replicas prove to each other who they are: whoever has a certificate that these trust is one
 * of them. PEM files.
 *
 * @param key the private key, PKCS 8
 * @param chain its certificate, and those between it and a trusted one
 * @param trusted the certificates that are trusted
 */
public record TlsFiles(Path key, Path chain, Path trusted) {
  public TlsFiles {
    requireNonNull(key, "key");
    requireNonNull(chain, "chain");
    requireNonNull(trusted, "trusted");
  }
}
