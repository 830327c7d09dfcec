package io.kairos.edge.ui;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * What is served below {@code /ui/}: the files of the dashboard's jar, and of its libraries those
 * that the jar names. The list is made at the start and does not change.
 */
final class DashboardFiles {
  private static final String HOME = "io/kairos/ui/";
  private static final String INDEX = "index.html";
  private static final String LIBRARIES = "libraries.txt";
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  private final Map<String, DashboardFile> byPath;
  private final Set<String> folders;
  private final DashboardFile index;
  private final String policy;

  private DashboardFiles(Map<String, DashboardFile> byPath) {
    this.byPath = Map.copyOf(byPath);
    this.folders =
        byPath.keySet().stream()
            .filter(path -> path.contains("/"))
            .map(DashboardFiles::first)
            .collect(Collectors.toUnmodifiableSet());
    this.index = requireNonNull(byPath.get(INDEX));
    this.policy = policy(new String(index.bytes(), UTF_8));
  }

  /** The files on the class path; empty when the dashboard is not there. */
  static Optional<DashboardFiles> find() {
    ClassLoader loader = requireNonNull(DashboardFiles.class.getClassLoader());
    URL index = loader.getResource(HOME + INDEX);
    if (index == null) {
      return Optional.empty();
    }
    Map<String, DashboardFile> found = new HashMap<>();
    try {
      for (String path : own(index)) {
        DashboardFile.of(path, loader.getResource(HOME + path))
            .ifPresent(file -> found.put(path, file));
      }
      addLibraries(loader, found);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.of(new DashboardFiles(found));
  }

  /** The paths of all files beside the index and below. */
  private static List<String> own(URL index) throws IOException {
    URLConnection connection = index.openConnection();
    if (connection instanceof JarURLConnection inJar) {
      inJar.setUseCaches(false);
      try (JarFile jar = inJar.getJarFile()) {
        return jar.stream()
            .map(ZipEntry::getName)
            .filter(name -> name.startsWith(HOME))
            .map(name -> name.substring(HOME.length()))
            .toList();
      }
    }
    try {
      Path home = requireNonNull(Path.of(index.toURI()).getParent());
      try (Stream<Path> below = Files.walk(home)) {
        return below.map(each -> home.relativize(each).toString().replace('\\', '/')).toList();
      }
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static void addLibraries(ClassLoader loader, Map<String, DashboardFile> to)
      throws IOException {
    try (InputStream in = requireNonNull(loader.getResourceAsStream(HOME + LIBRARIES))) {
      for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        if (!line.startsWith("#")) {
          String[] words = line.split(" ", -1);
          String path = "META-INF/resources/webjars/" + String.join("/", words);
          URL place = loader.getResource(path);
          if (place == null) {
            throw new IllegalStateException("the dashboard needs " + path);
          }
          DashboardFile.of(path, place)
              .ifPresent(file -> to.put("lib/" + words[0] + "/" + words[2], file));
        }
      }
    }
  }

  /** Nothing but the process's own files, and of scripts within pages only the import map. */
  private static String policy(String page) {
    Matcher map = IMPORT_MAP.matcher(page);
    String hash =
        map.find()
            ? " 'sha256-%s'"
                .formatted(
                    Base64.getEncoder()
                        .encodeToString(
                            DashboardFile.sha256(requireNonNull(map.group(1)).getBytes(UTF_8))))
            : "";
    return "default-src 'self'; script-src 'self'"
        + hash
        + "; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'";
  }

  /** The value of the header {@code content-security-policy}. */
  String policy() {
    return policy;
  }

  /**
   * The file of a path below {@code /ui/}. A path of no file is one of the dashboard's own, which
   * the index reads, unless it is where files are; then null.
   */
  @Nullable DashboardFile at(String path) {
    DashboardFile file = byPath.get(path);
    return file == null && !isPlaceOfFiles(path) ? index : file;
  }

  private boolean isPlaceOfFiles(String path) {
    return path.contains("/") ? folders.contains(first(path)) : path.contains(".");
  }

  private static String first(String path) {
    return path.substring(0, path.indexOf('/'));
  }
}
