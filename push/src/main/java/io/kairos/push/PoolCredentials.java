package io.kairos.push;

import io.kairos.engine.tls.PemKeyPair;
import io.kairos.engine.tls.PemKeyPair.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials of this node by their names, from files. Thread-safe; {@link #reload} reads
 * files.
 */
public final class PoolCredentials {
  private static final Logger LOG = LoggerFactory.getLogger(PoolCredentials.class);

  private final Map<String, Entry> entries = new TreeMap<>();
  private final InstantSource clock;

  /** Reads the files; unusable ones are logged, and read again by {@link #reload}. */
  public PoolCredentials(List<CredentialFiles> all, InstantSource clock) {
    this.clock = clock;
    all.forEach(files -> entries.put(files.name(), new Entry(files)));
    reload();
  }

  /** No credentials. */
  public static PoolCredentials none() {
    return new PoolCredentials(List.of(), () -> Instant.EPOCH);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /**
   * Reads the files again. Usable ones that have changed replace the former credentials; when they
   * are unusable, the former stay.
   */
  public synchronized void reload() {
    entries.values().forEach(entry -> entry.reload(clock.instant()));
  }

  /** The credentials of this name; empty when this node has none that were ever usable. */
  Optional<TlsIdentity> find(String name) {
    Entry entry = entries.get(name);
    return entry == null ? Optional.empty() : Optional.ofNullable(entry.identity);
  }

  /** All credentials that are in use. */
  Set<TlsIdentity> present() {
    return entries.keySet().stream()
        .flatMap(name -> find(name).stream())
        .collect(Collectors.toSet());
  }

  /** Says why {@link #find} finds nothing, and what to set. */
  String whyMissing(String name) {
    Entry entry = entries.get(name);
    return entry == null
        ? "this node has no credentials %s: set %s, or %s and %s"
            .formatted(
                name,
                CredentialFiles.setting(name, "ca"),
                CredentialFiles.setting(name, "certificate"),
                CredentialFiles.setting(name, "key"))
        : "this node cannot use the credentials " + name + ": " + entry.problem;
  }

  /** What the files had, null for those that are not configured. */
  private record Content(@Nullable String ca, @Nullable String certificate, @Nullable String key) {
    /** Without the key. */
    @Override
    public String toString() {
      return "Content";
    }
  }

  private static final class Entry {
    private final CredentialFiles files;
    private @Nullable Content seen;
    private volatile @Nullable TlsIdentity identity;
    private volatile String problem = "";

    Entry(CredentialFiles files) {
      this.files = files;
    }

    void reload(Instant now) {
      try {
        Content content =
            new Content(
                read("ca", files.ca()),
                read("certificate", files.certificate()),
                read("key", files.key()));
        if (content.equals(seen)) {
          problem = ""; // the credentials in use have stayed, with their connections
          return;
        }
        TlsIdentity fresh = identity(content, now);
        if (identity != null) {
          LOG.atInfo().addKeyValue("credentials", files.name()).log("credentials were renewed");
        }
        seen = content;
        identity = fresh;
        problem = "";
      } catch (IllegalArgumentException e) {
        fail(String.valueOf(e.getMessage()));
      }
    }

    /** Says it once. */
    private void fail(String why) {
      if (!why.equals(problem)) {
        problem = why;
        LOG.atWarn()
            .addKeyValue("credentials", files.name())
            .addKeyValue("why", why)
            .log(
                identity == null
                    ? "credentials cannot be used; pools that name them are not pushed to by this node"
                    : "credentials cannot be used; the former ones stay in use");
      }
    }

    private @Nullable String read(String leaf, Optional<Path> file) {
      if (file.isEmpty()) {
        return null;
      }
      try {
        return new String(Files.readAllBytes(file.get()), StandardCharsets.ISO_8859_1);
      } catch (IOException e) {
        throw new IllegalArgumentException(sourceName(leaf, file) + " cannot be read: " + e, e);
      }
    }

    private String sourceName(String leaf, Optional<Path> file) {
      return "%s (%s)".formatted(CredentialFiles.setting(files.name(), leaf), file.orElseThrow());
    }

    private TlsIdentity identity(Content content, Instant now) {
      List<X509Certificate> trusted =
          content.ca == null
              ? List.of()
              : PemKeyPair.trusted(source("ca", files.ca(), content.ca), now);
      PemKeyPair own =
          content.certificate == null || content.key == null
              ? null
              : PemKeyPair.read(
                  source("certificate", files.certificate(), content.certificate),
                  source("key", files.key(), content.key),
                  now);
      return new TlsIdentity(files.name(), trusted, own).checked();
    }

    private Source source(String leaf, Optional<Path> file, String content) {
      return new Source(sourceName(leaf, file), content.getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
