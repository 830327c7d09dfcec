package io.kairos.server.replica;

import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.ReplicatedLogProvider;
import io.kairos.engine.replica.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A log of a kind that the base program does not have, from the jars in the folder {@code
 * addons/<kind>} of the installation, or from the class path of whoever embeds Kairos. The jars are
 * loaded here and by no launcher, so that every way to start the program finds them, and a program
 * that does not need them neither loads them nor loses its archive of classes. Used by the thread
 * that starts the replica; closed after the log.
 */
public final class LogAddOn implements AutoCloseable {
  private final URLClassLoader loader;
  private final ReplicatedLogProvider provider;

  private LogAddOn(URLClassLoader loader, ReplicatedLogProvider provider) {
    this.loader = loader;
    this.provider = provider;
  }

  /**
   * Finds the log.
   *
   * @param home the folder of the installation; empty for a program that has none
   * @param version that of this program
   * @throws IllegalArgumentException that names the add-on and how to get it
   */
  public static LogAddOn find(String kind, Optional<Path> home, String version) {
    Optional<Path> folder = home.map(path -> path.resolve("addons").resolve(kind));
    URLClassLoader loader =
        new URLClassLoader(
            "add-on " + kind,
            folder.stream().flatMap(place -> jars(place).stream()).toArray(URL[]::new),
            ReplicatedLogProvider.class.getClassLoader());
    boolean found = false;
    try {
      ReplicatedLogProvider provider =
          ServiceLoader.load(ReplicatedLogProvider.class, loader).stream()
              .map(ServiceLoader.Provider::get)
              .filter(each -> each.kind().equals(kind))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalArgumentException(missing(kind, folder.orElse(null), version)));
      if (loader.equals(provider.getClass().getClassLoader())) {
        requireVersion(version, provider, folder.orElseThrow());
      }
      found = true;
      return new LogAddOn(loader, provider);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new IllegalArgumentException(
          "the add-on kairos-%s does not fit this program of version %s: %s"
              .formatted(kind, version, e.getMessage()),
          e);
    } finally {
      if (!found) {
        closeQuietly(loader);
      }
    }
  }

  private static String missing(String kind, @Nullable Path folder, String version) {
    return folder == null
        ? "replica.log: %s needs the jars of the add-on kairos-%s on the class path"
            .formatted(kind, kind)
        : "replica.log: %s needs the add-on kairos-%s, and its jars are not in %s: unpack kairos-%s-%s.tar.gz over the installation, without the folder of another version; in a source tree \"./kairos addon %s\" builds it"
            .formatted(kind, kind, folder, kind, version, kind);
  }

  private static void requireVersion(String version, ReplicatedLogProvider provider, Path folder) {
    Package code = provider.getClass().getPackage();
    String own = code == null ? null : code.getImplementationVersion();
    if (!version.equals(own)) {
      throw new IllegalArgumentException(
          "the add-on kairos-%s is of version %s and this program of version %s: remove %s, and unpack kairos-%s-%s.tar.gz over the installation"
              .formatted(provider.kind(), own, version, folder, provider.kind(), version));
    }
  }

  private static void closeQuietly(URLClassLoader loader) {
    try {
      loader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<URL> jars(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .sorted()
          .map(LogAddOn::url)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(jar.toString(), e);
    }
  }

  /**
   * Opens the log, see {@link ReplicatedLogProvider#open}. Libraries of the add-on look for their
   * own parts by the class loader of the thread, which the threads of the log inherit.
   */
  public ReplicatedLog open(
      ReplicatedLogProvider.Opening opening, StateMachine machine, Consumer<Throwable> broken) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return provider.open(opening, machine, broken);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
