package io.kairos.cli.context;

import io.kairos.client.net.ConnectionBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files of TLS for the addresses that they were given with, each an absolute path or one that
 * begins with {@code ~/}.
 *
 * @param caFile CA certificates of nodes; null for those of the system
 * @param certificate shown to nodes; null for none
 * @param key of the certificate
 */
public record CallCertificates(
    @Nullable Path caFile, @Nullable Path certificate, @Nullable Path key) {
  static final String CA_FILE = "ca-file";
  static final String CERTIFICATE = "certificate-file";
  static final String KEY = "key-file";

  public static final CallCertificates NONE = new CallCertificates(null, null, null);

  /** Throws {@link IllegalArgumentException} for half a pair. */
  public CallCertificates {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "a certificate goes with its key: give both --certificate-file and --key-file");
    }
  }

  public boolean isEmpty() {
    return equals(NONE);
  }

  /** The files that are given, by the names of their options. */
  public Map<String, Path> byName() {
    Map<String, Path> given = new LinkedHashMap<>();
    putIfGiven(given, CA_FILE, caFile);
    putIfGiven(given, CERTIFICATE, certificate);
    putIfGiven(given, KEY, key);
    return given;
  }

  private static void putIfGiven(Map<String, Path> given, String name, @Nullable Path file) {
    if (file != null) {
      given.put(name, file);
    }
  }

  /** Throws {@link IllegalArgumentException} for a file that this user cannot read. */
  public void requireReadable() {
    byName()
        .forEach((name, file) -> {
          if (!Files.isReadable(file)) {
            throw new IllegalArgumentException(
                "there is no readable file %s; --%s names one in PEM".formatted(file, name));
          }
        });
    if (key != null) {
      SecretFile.check(key);
    }
  }

  /** Sets them at a builder. Throws IllegalArgumentException when others can read the key. */
  public void apply(ConnectionBuilder<?> builder, ContextFile contexts) {
    if (caFile != null) {
      builder.trustedCertificates(contexts.expanded(caFile));
    }
    if (certificate != null && key != null) {
      SecretFile.check(contexts.expanded(key));
      builder.clientCertificate(contexts.expanded(certificate), contexts.expanded(key));
    }
  }
}
