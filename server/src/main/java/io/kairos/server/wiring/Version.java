package io.kairos.server.wiring;

/** The version that the build wrote into the jar. */
final class Version {
  private Version() {}

  static String text() {
    Package self = Version.class.getPackage();
    String version = self == null ? null : self.getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
