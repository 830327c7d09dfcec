package io.kairos.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.AnnotationsProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.ExtensionRegistry;
import io.kairos.api.text.ProtoComments;
import io.kairos.api.v1.AccessProto;
import io.kairos.api.v1.RestProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiPageTest {
  private static final Path PAGE = Path.of("../docs/api.md");

  /** With {@code -Dapi.page=write} it is written instead. */
  @Test
  void the_page_is_what_the_protos_say() throws IOException {
    String page = ApiPage.of(protos());
    if ("write".equals(System.getProperty("api.page"))) {
      Files.writeString(PAGE, page);
    }

    assertThat(Files.readString(PAGE))
        .as("run: ./mvnw -pl api test -Dtest=ApiPageTest -Dapi.page=write")
        .isEqualTo(page);
  }

  @Test
  void everything_on_the_page_is_explained() {
    assertThat(ApiPage.of(protos()).lines()).noneMatch(line -> line.endsWith("|  |"));
  }

  static List<FileDescriptorProto> protos() {
    ExtensionRegistry extensions = ExtensionRegistry.newInstance();
    AnnotationsProto.registerAllExtensions(extensions);
    AccessProto.registerAllExtensions(extensions);
    RestProto.registerAllExtensions(extensions);
    return ProtoComments.files(extensions).stream()
        .filter(file -> file.getPackage().startsWith("kairos."))
        .sorted(Comparator.comparing(FileDescriptorProto::getName))
        .toList();
  }
}
