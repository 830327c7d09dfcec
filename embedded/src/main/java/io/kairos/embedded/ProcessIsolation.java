package io.kairos.embedded;

import com.sun.security.auth.module.UnixSystem;
import io.kairos.embedded.EmbeddedStartException.Problem;
import io.kairos.embedded.process.ProcessSpawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user that a child runs as. Postgres refuses to run as root, the usual user in a container.
 */
enum ProcessIsolation {
  /** As the user who runs this JVM. */
  AS_IS,
  /**
   * In a user namespace without a mapping (Linux): not root inside, and root outside, so that any
   * directory works.
   */
  USER_NAMESPACE,
  /**
   * As the user nobody (Linux), where new user namespaces are forbidden, as in a plain Docker
   * container.
   */
  NOBODY;

  /** The id of nobody, which is equal on every Linux; the name of the group is not. */
  static final int NOBODY_ID = 65_534;

  private static final Logger LOG = LoggerFactory.getLogger(ProcessIsolation.class);

  /** Prefix of the command. */
  List<String> prefix() {
    return switch (this) {
      case AS_IS -> List.of();
      case USER_NAMESPACE -> List.of("unshare", "-U");
      case NOBODY ->
          List.of("setpriv", "--reuid=" + NOBODY_ID, "--regid=" + NOBODY_ID, "--clear-groups");
    };
  }

  /** Returns the first isolation under which a program that refuses root can use the given data. */
  static ProcessIsolation forDataIn(Path data) {
    int me = (int) new UnixSystem().getUid();
    if (me != 0) {
      requireOwner(data, me);
      return AS_IS;
    }
    boolean nobodys = Files.exists(data) && owner(data) == NOBODY_ID;
    if (!nobodys) {
      requireOwner(data, 0);
      if (USER_NAMESPACE.runs("true")) {
        return USER_NAMESPACE;
      }
      if (Files.exists(data)) {
        throw new EmbeddedStartException(
            Problem.ROOT_NOT_POSSIBLE,
            "Postgres does not run as root, user namespaces are not allowed here (unshare -U), and %s belongs to root: give it to the user nobody, run Kairos as another user, or use an external Postgres."
                .formatted(data));
      }
    }
    if (NOBODY.runs("true")) {
      LOG.info("Postgres does not run as root; starting it as the user nobody");
      return NOBODY;
    }
    throw new EmbeddedStartException(
        Problem.ROOT_NOT_POSSIBLE,
        "Postgres does not run as root, and neither a user namespace (unshare -U) nor setpriv works here: "
            + "run Kairos as another user or use an external Postgres.");
  }

  /** Makes the child's user the owner of a file. */
  void handOver(Path file) throws IOException {
    if (this == NOBODY) {
      Files.setAttribute(file, "unix:uid", NOBODY_ID);
    }
  }

  /** Throws when the child's user cannot reach a path; the message names the path. */
  void requireReach(Path path) {
    if (this != NOBODY) {
      return;
    }
    if (!runs("test", "-x", path.toString())) {
      throw new EmbeddedStartException(
          Problem.DIRECTORY_UNUSABLE,
          "Postgres runs here as the user nobody, who cannot enter %s: choose a directory whose parents everybody may enter, run Kairos as another user, or use an external Postgres."
              .formatted(path));
    }
  }

  /** True when the command succeeds as the child's user. */
  private boolean runs(String... command) {
    List<String> all = new ArrayList<>(prefix());
    all.addAll(List.of(command));
    return succeeds(all);
  }

  private static void requireOwner(Path data, int user) {
    if (Files.exists(data) && owner(data) != user) {
      throw new EmbeddedStartException(
          Problem.DIRECTORY_UNUSABLE,
          "The data in %s belongs to the user with id %d, but Kairos runs as the user with id %d: run it as that user or choose another data directory."
              .formatted(data, owner(data), user));
    }
  }

  private static int owner(Path path) {
    try {
      return (Integer) Files.getAttribute(path, "unix:uid");
    } catch (IOException e) {
      throw EmbeddedStartException.unusable("Cannot look at " + path, e);
    }
  }

  static boolean succeeds(List<String> command) {
    try {
      return ProcessSpawner.exitValueOf(command) == 0;
    } catch (IOException notThere) {
      return false;
    }
  }
}
