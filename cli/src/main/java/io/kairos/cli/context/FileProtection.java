package io.kairos.cli.context;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;

/**
 * Who else can read or change a file. Links are followed. What others can do is refused by
 * IllegalArgumentException, with what to do.
 */
final class FileProtection {
  private static final Set<PosixFilePermission> OTHERS_WRITE =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final Set<PosixFilePermission> OTHERS_USE =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private FileProtection() {}

  /** Requires that only this user and root can change a file or folder. */
  static void requireUnchanged(Path path) throws IOException {
    UserPrincipal owner = Files.getOwner(path);
    if (!isRoot(path) && !owner.equals(self())) {
      throw new IllegalArgumentException(
          "%s belongs to %s, who can change it: call as %2$s, or set XDG_CONFIG_HOME to a folder of your own"
              .formatted(path, owner.getName()));
    }
    refuse(path, OTHERS_WRITE, "can be changed by others: chmod go-w");
  }

  /**
   * Requires that others can neither read nor change a file. The group may read what belongs to
   * root, as with the private keys of libpq: secrets in containers are mounted so.
   */
  static void requireSecret(Path path) throws IOException {
    Set<PosixFilePermission> forbidden = EnumSet.copyOf(OTHERS_USE);
    if (!isRoot(path)) {
      forbidden.add(PosixFilePermission.GROUP_READ);
    }
    refuse(path, forbidden, "can be read or changed by others: chmod 600");
  }

  private static void refuse(Path path, Set<PosixFilePermission> forbidden, String problem)
      throws IOException {
    Set<PosixFilePermission> found = EnumSet.copyOf(forbidden);
    found.retainAll(Files.getPosixFilePermissions(path));
    if (!found.isEmpty()) {
      throw new IllegalArgumentException("%s %s %1$s".formatted(path, problem));
    }
  }

  private static boolean isRoot(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid").equals(0);
  }

  /** Returns the user of this process, who may have no name, as in containers. */
  private static UserPrincipal self() throws IOException {
    Path process = Path.of("/proc/self");
    return Files.exists(process)
        ? Files.getOwner(process)
        : FileSystems.getDefault()
            .getUserPrincipalLookupService()
            .lookupPrincipalByName(requireNonNull(System.getProperty("user.name")));
  }
}
