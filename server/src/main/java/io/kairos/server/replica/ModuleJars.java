package io.kairos.server.replica;

import io.kairos.engine.cron.module.CronModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Loads users' modules from jars by {@link ServiceLoader}. Closed when the replica has ended. */
public final class ModuleJars implements AutoCloseable {
  private final URLClassLoader loader;

  /**
   * @param places jars, or folders of jars
   * @throws IllegalArgumentException for a place that is neither
   */
  public ModuleJars(List<Path> places) {
    this.loader =
        new URLClassLoader(
            "modules",
            places.stream()
                .flatMap(place -> jars(place).stream())
                .map(ModuleJars::url)
                .toArray(URL[]::new),
            CronModule.class.getClassLoader());
  }

  private static List<Path> jars(Path place) {
    if (Files.isRegularFile(place)) {
      return List.of(place);
    }
    if (!Files.isDirectory(place)) {
      throw new IllegalArgumentException(
          place + " (replica.modules) is neither a jar nor a folder");
    }
    try (Stream<Path> files = Files.list(place)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(jar + " (replica.modules)", e);
    }
  }

  /**
   * Makes one instance of each module.
   *
   * @throws java.util.ServiceConfigurationError for a module that cannot be instantiated
   */
  public List<CronModule> load() {
    List<CronModule> modules = new ArrayList<>();
    ServiceLoader.load(CronModule.class, loader).forEach(modules::add);
    return modules;
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
