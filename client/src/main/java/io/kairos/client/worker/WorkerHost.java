package io.kairos.client.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What workers of this process say of it, for operators. Asks no name server, which might keep the
 * start waiting.
 */
final class WorkerHost {
  private static final int LONGEST = 255;
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  /** The name of the host; empty where the system does not tell it. */
  static final String NAME = shortened(name());

  /** The name and version of this client; without the version where it is not packaged. */
  static final String CLIENT = client();

  private WorkerHost() {}

  private static String name() {
    try {
      return Files.readString(KERNEL).strip();
    } catch (IOException | SecurityException e) {
      return ""; // another system than Linux
    }
  }

  private static String shortened(String name) {
    String printable = name.replaceAll("[^\\x21-\\x7e]", "");
    return printable.substring(0, Math.min(printable.length(), LONGEST));
  }

  private static String client() {
    Package self = WorkerHost.class.getPackage();
    String version = self == null ? null : self.getImplementationVersion();
    return version == null ? "kairos-client" : "kairos-client " + version;
  }
}
