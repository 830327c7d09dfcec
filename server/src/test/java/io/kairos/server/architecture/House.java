package io.kairos.server.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A tree of packages that a rule is applied to: the house itself, or the specimens, which repeat
 * its folders below their own root.
 */
record House(String root) {
  static final House KAIROS = new House("io.kairos");
  static final House SPECIMENS = new House("io.kairos.server.architecture.specimen");

  /** The modules whose classes this module can see; {@code bench} comes later in the build. */
  static final List<String> MODULES =
      List.of(
          "api",
          "domain",
          "fuzzing",
          "engine",
          "model",
          "contracts",
          "embedded",
          "node",
          "postgres",
          "kafka",
          "consensus",
          "hashgraph",
          "client",
          "cli",
          "edge",
          "push",
          "inprocess",
          "server");

  /**
   * The package pattern of everything in {@code folder}, for example {@code io.kairos.engine..}.
   */
  String in(String folder) {
    return root + "." + folder + "..";
  }

  String[] in(String... folders) {
    return Stream.of(folders).map(this::in).toArray(String[]::new);
  }

  String everything() {
    return root + "..";
  }

  static JavaClasses production() {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages(KAIROS.root);
  }

  static JavaClasses specimens() {
    return new ClassFileImporter().importPackages(SPECIMENS.root);
  }
}
