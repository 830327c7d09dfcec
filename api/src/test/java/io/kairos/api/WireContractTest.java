package io.kairos.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.DescriptorProto.ReservedRange;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WireContractTest {
  private static final Path RELEASED =
      Path.of("src/test/resources/io/kairos/api/released-contract.txt");
  private static final String WRITE =
      "./mvnw -pl api test -Dtest=WireContractTest -Dapi.contract=write";

  /** With {@code -Dapi.contract=write} it is written instead, as at each release. */
  @Test
  void the_protos_keep_what_has_been_released() throws IOException {
    SortedSet<String> now = WireContract.of(ApiPageTest.protos());
    if ("write".equals(System.getProperty("api.contract"))) {
      Files.write(RELEASED, now);
    }

    assertThat(WireContract.broken(Files.readAllLines(RELEASED), now))
        .as(
            "callers rely on these: add beside the old, or reserve the name and the number of what"
                + " is gone. Before 0.1.0, which freezes them: "
                + WRITE)
        .isEmpty();
  }

  @Test
  void a_field_keeps_its_name_number_type_and_cardinality() {
    assertThat(broken(request(one -> one.getFieldBuilder(0).setName("name")))).hasSize(1);
    assertThat(broken(request(one -> one.getFieldBuilder(0).setNumber(99)))).hasSize(1);
    assertThat(
            broken(
                request(
                    one -> one.getFieldBuilder(0).setType(FieldDescriptorProto.Type.TYPE_BYTES))))
        .hasSize(1);
    assertThat(broken(request(one -> one.getFieldBuilder(0).setLabel(Label.LABEL_REPEATED))))
        .containsExactly("kairos.v1.RescheduleTaskRequest.id = 1 string");
  }

  @Test
  void what_is_gone_must_be_reserved_by_name_and_number() {
    ReservedRange number = ReservedRange.newBuilder().setStart(1).setEnd(2).build();

    assertThat(broken(request(one -> one.removeField(0)))).hasSize(1);
    assertThat(broken(request(one -> one.removeField(0).addReservedRange(number)))).hasSize(1);
    assertThat(
            broken(
                request(one -> one.removeField(0).addReservedRange(number).addReservedName("id"))))
        .isEmpty();
  }

  @Test
  void a_method_keeps_its_name_types_role_and_routes() {
    assertThat(broken(method(one -> one.setName("Retime")))).hasSize(3);
    assertThat(broken(method(one -> one.setOutputType(".kairos.v1.Fire")))).hasSize(1);
    assertThat(
            broken(
                method(one ->
                    one.getOptionsBuilder()
                        .setExtension(
                            AnnotationsProto.http,
                            HttpRule.newBuilder().setPut("/v1/tasks/{id}/due").build()))))
        .containsExactly(
            "kairos.v1.TaskService/RescheduleTask is at POST /v1/tasks/{id}:reschedule with the body *");
  }

  @Test
  void additions_break_nothing() {
    assertThat(
            broken(file ->
                file.addMessageType(DescriptorProto.newBuilder().setName("New"))
                    .getServiceBuilder(0)
                    .addMethodBuilder()
                    .setName("New")
                    .setInputType(".kairos.v1.New")
                    .setOutputType(".kairos.v1.New")))
        .isEmpty();
    assertThat(broken(request(one -> one.addFieldBuilder().setName("new").setNumber(99))))
        .isEmpty();
  }

  private static Consumer<FileDescriptorProto.Builder> request(
      Consumer<DescriptorProto.Builder> change) {
    return file ->
        file.getMessageTypeBuilderList().stream()
            .filter(message -> message.getName().equals("RescheduleTaskRequest"))
            .forEach(change);
  }

  private static Consumer<FileDescriptorProto.Builder> method(
      Consumer<MethodDescriptorProto.Builder> change) {
    return file ->
        file.getServiceBuilder(0).getMethodBuilderList().stream()
            .filter(method -> method.getName().equals("RescheduleTask"))
            .forEach(change);
  }

  /** What a change of the service of tasks would break of today's contract. */
  private static List<String> broken(Consumer<FileDescriptorProto.Builder> change) {
    List<FileDescriptorProto> protos = ApiPageTest.protos();
    List<FileDescriptorProto> changed =
        protos.stream()
            .map(file -> {
              FileDescriptorProto.Builder builder = file.toBuilder();
              if (file.getName().endsWith("/task_service.proto")) {
                change.accept(builder);
              }
              return builder.build();
            })
            .toList();
    return WireContract.broken(WireContract.of(protos), WireContract.of(changed));
  }
}
