package io.kairos.deploy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A fresh Debian in a folder. Programs run in it as processes of their own namespace. */
record DebianRoot(Path folder) {
  /** Makes one of the packages that every Debian has; takes ten seconds and the network. */
  static DebianRoot make(Path folder) throws Exception {
    Command.run("rm", "-rf", folder.toString());
    Command.run(
        "mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", "bookworm", folder.toString());
    return new DebianRoot(folder);
  }

  Path file(String path) {
    return folder.resolve(path.substring(1));
  }

  /** Runs a program as root; it must succeed. */
  String run(String... words) throws Exception {
    return Command.run(in("root:root", List.of(words)).toArray(String[]::new));
  }

  /** Starts a program as a user and group, such as {@code kairos:kairos}. */
  Command start(String user, String... words) throws Exception {
    return Command.start(in(user, List.of(words)));
  }

  private List<String> in(String user, List<String> words) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc=" + file("/proc"),
                "chroot",
                "--userspec=" + user,
                folder.toString(),
                "env",
                "-i",
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "DEBIAN_FRONTEND=noninteractive"));
    all.addAll(words);
    return all;
  }
}
