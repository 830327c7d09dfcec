package io.kairos.server.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The files of a tree by their path with slashes, read as text on demand; without what is built,
 * kept or belongs to tools.
 */
final class Repository {
  private static final Set<String> NOT_OURS =
      Set.of("target", "kairos-data", "node_modules", "tidy-specimen");

  private final Path root;
  private final TreeMap<String, Path> files = new TreeMap<>();

  Repository(Path root) {
    this.root = root;
    try {
      Files.walkFileTree(root, new Collector());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> files(Predicate<String> wanted) {
    return files.keySet().stream().filter(wanted).toList();
  }

  List<String> javaOf(String part) {
    return files(name -> name.contains(part) && name.endsWith(".java"));
  }

  String text(String name) {
    try {
      return Files.readString(root.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether {@code target}, written in a file that lies beside {@code from}, names a file or folder
   * of this tree.
   */
  boolean hasBeside(String from, String target) {
    Path there = root.resolve(from).resolveSibling(target).normalize();
    return there.startsWith(root.normalize()) && Files.exists(there);
  }

  private final class Collector extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
      String name = String.valueOf(dir.getFileName());
      boolean tool = name.startsWith(".") && !Set.of(".ci", ".mvn").contains(name);
      return !dir.equals(root) && (tool || NOT_OURS.contains(name))
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      files.put(root.relativize(file).toString().replace('\\', '/'), file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}
