package io.kairos.server.wiring;

/** The version that the build wrote into the jar. */
public final class BuildVersion {
  private BuildVersion() {}

  public static String text() {
    Package self = BuildVersion.class.getPackage();
    String version = self == null ? null : self.getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
