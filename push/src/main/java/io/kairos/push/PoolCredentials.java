package io.kairos.push;

import io.kairos.api.tls.TlsMaterial;
import io.kairos.api.tls.TlsWatch;
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
 * The credentials of this node by their names, from files. Thread-safe; {@link #look} reads files.
 */
public final class PoolCredentials {
  private static final Logger LOG = LoggerFactory.getLogger(PoolCredentials.class);

  private final Map<String, Entry> entries = new TreeMap<>();

  /** Reads the files; unusable ones are logged, and looked at again by {@link #look}. */
  public PoolCredentials(List<CredentialFiles> all, InstantSource clock) {
    all.forEach(files -> entries.put(files.name(), new Entry(files, clock)));
  }

  /** No credentials. */
  public static PoolCredentials none() {
    return new PoolCredentials(List.of(), () -> Instant.EPOCH);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /**
   * Looks at the files. Usable ones that have changed replace the former credentials; when they are
   * unusable, the former stay.
   */
  public synchronized void look() {
    entries.values().forEach(entry -> entry.watch.look());
  }

  /** The credentials of this name; empty when this node has none that were ever usable. */
  Optional<TlsMaterial> find(String name) {
    Entry entry = entries.get(name);
    return entry == null ? Optional.empty() : Optional.ofNullable(entry.inUse);
  }

  /** All credentials that are in use. */
  Set<TlsMaterial> present() {
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

  private static final class Entry implements TlsWatch.Listener {
    private final String name;
    private final TlsWatch watch;
    private volatile @Nullable TlsMaterial inUse;
    private volatile String problem = "";

    Entry(CredentialFiles files, InstantSource clock) {
      this.name = files.name();
      this.watch = new TlsWatch(files.certificateFiles(), clock, this);
      try {
        use(watch.open());
      } catch (IllegalArgumentException e) {
        refused(e);
      }
    }

    private void use(TlsMaterial material) {
      PushConnections.requireUsable(name, material);
      inUse = material;
    }

    @Override
    public void replaced(TlsMaterial by) {
      use(by);
      LOG.atInfo().addKeyValue("credentials", name).log("changed credentials are in use");
    }

    @Override
    public void refused(IllegalArgumentException why) {
      problem = String.valueOf(why.getMessage());
      LOG.atWarn()
          .addKeyValue("credentials", name)
          .addKeyValue("why", problem)
          .log(
              inUse == null
                  ? "credentials cannot be used; pools that name them are not pushed to by this node"
                  : "credentials cannot be used; the former ones stay in use");
    }
  }
}
