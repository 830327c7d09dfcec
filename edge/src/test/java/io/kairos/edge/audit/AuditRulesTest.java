package io.kairos.edge.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.AnnotationsProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.AccessProto;
import io.kairos.api.v1.AuditServiceOuterClass;
import io.kairos.api.v1.CancelTasksRequest;
import io.kairos.api.v1.ClusterServiceOuterClass;
import io.kairos.api.v1.CronServiceOuterClass;
import io.kairos.api.v1.HandlerServiceOuterClass;
import io.kairos.api.v1.LimitServiceOuterClass;
import io.kairos.api.v1.PollServiceOuterClass;
import io.kairos.api.v1.PoolServiceOuterClass;
import io.kairos.api.v1.RedriveRequest;
import io.kairos.api.v1.RouteServiceOuterClass;
import io.kairos.api.v1.ScheduleServiceOuterClass;
import io.kairos.api.v1.SetPauseRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskFilter;
import io.kairos.api.v1.TaskServiceOuterClass;
import io.kairos.api.v1.WorkerServiceOuterClass;
import io.kairos.edge.call.AuditedText;
import io.kairos.engine.audit.AuditedCall;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every method of nodes and replicas: has it entries, or why not? */
class AuditRulesTest {
  /** Methods that read only although they are no GET. */
  private static final Map<String, String> OTHER_READS =
      Map.of("PreviewSchedule", "shows fire times of a definition that is in the request");

  /** Calls of workers, which come for every task; the task's own row has the caller. */
  private static final Set<String> OF_WORKERS =
      Set.of(
          "NextWork",
          "Heartbeat",
          "SetResult",
          "Leave",
          "RegisterEndpoint", // what changes a pool has an entry, which PoolCalls makes
          "UnregisterEndpoint",
          "CompleteExecution",
          "FailExecution",
          "SnoozeExecution",
          "HeartbeatExecution");

  private static Stream<MethodDescriptor> methods() {
    return Stream.of(
            AuditServiceOuterClass.getDescriptor(),
            ClusterServiceOuterClass.getDescriptor(),
            CronServiceOuterClass.getDescriptor(),
            HandlerServiceOuterClass.getDescriptor(),
            LimitServiceOuterClass.getDescriptor(),
            PollServiceOuterClass.getDescriptor(),
            PoolServiceOuterClass.getDescriptor(),
            RouteServiceOuterClass.getDescriptor(),
            ScheduleServiceOuterClass.getDescriptor(),
            TaskServiceOuterClass.getDescriptor(),
            WorkerServiceOuterClass.getDescriptor())
        .map(FileDescriptor::getServices)
        .flatMap(List::stream)
        .map(ServiceDescriptor::getMethods)
        .flatMap(List::stream);
  }

  @Test
  void every_method_has_entries_or_a_reason_to_have_none() {
    methods()
        .forEach(method -> {
          boolean isGet = method.getOptions().getExtension(AnnotationsProto.http).hasGet();
          boolean hasReason =
              isGet
                  || OTHER_READS.containsKey(method.getName())
                  || OF_WORKERS.contains(method.getName())
                  || AuditRules.WITHOUT_ENTRIES.containsKey(method.getFullName());

          assertThat(AuditRules.isAudited(method)).as(method.getFullName()).isEqualTo(!hasReason);
        });
  }

  @Test
  void every_reason_is_that_of_a_method_that_exists() {
    Set<String> all = methods().map(MethodDescriptor::getFullName).collect(Collectors.toSet());
    Set<String> names = methods().map(MethodDescriptor::getName).collect(Collectors.toSet());

    assertThat(all).containsAll(AuditRules.WITHOUT_ENTRIES.keySet());
    assertThat(names).containsAll(OF_WORKERS).containsAll(OTHER_READS.keySet());
  }

  @Test
  void the_name_of_a_method_is_enough_to_tell_it() {
    assertThat(methods().map(MethodDescriptor::getName).toList()).doesNotHaveDuplicates();
  }

  @Test
  void every_method_with_entries_names_its_object() {
    methods()
        .filter(AuditRules::isAudited)
        .forEach(method -> {
          AuditedMethod audited = AuditedMethod.of(method);

          assertThat(audited.kind()).as(method.getName()).isNotEmpty();
          assertThat(!audited.name().isEmpty() || isNamed(method.getInputType()))
              .as(method.getName() + ": in the path of REST, or by a field with (names)")
              .isTrue();
        });
  }

  /** True when a field of the type, or of a message in it, says what it names. */
  private static boolean isNamed(Descriptor type) {
    return type.getFields().stream()
        .anyMatch(field ->
            field.getOptions().getExtension(AccessProto.names) != Kind.KIND_UNSPECIFIED
                || (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && field.getMessageType() != type
                    && field.getMessageType().getFullName().startsWith("kairos.")
                    && isNamed(field.getMessageType())));
  }

  @Test
  void kinds_and_parts_are_those_of_the_path() {
    assertThat(
            methods()
                .filter(AuditRules::isAudited)
                .map(AuditedMethod::of)
                .map(one -> one.action() + " " + one.kind() + " " + one.parts()))
        .contains(
            "SetPause handler [collection]",
            "UpdateQueue handler [queue.priority]",
            "SkipHead handler [key]",
            "CreatePool pool []",
            "CancelTask task []",
            "Redrive task [filter.handler, filter.states, filter.collection, filter.error_class,"
                + " filter.error_fingerprint, filter.ended_not_before, filter.ended_before,"
                + " dry_run]",
            "PutCalendar calendar [dry_run]",
            "ApplySchedule schedule [dry_run]",
            "PutCronEntry entry [entry.position]");
  }

  private static MethodDescriptor method(String name) {
    return methods().filter(one -> one.getName().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void an_object_is_named_by_the_request_whose_other_texts_are_left_alone() {
    AuditedCall pause =
        AuditedMethod.of(method("SetPause"))
            .call(
                "ana",
                "10.0.0.1",
                SetPauseRequest.newBuilder()
                    .setHandler("billing")
                    .setCollection("eu")
                    .setNote("a note of theirs")
                    .build());

    assertThat(pause)
        .isEqualTo(
            new AuditedCall("ana", "10.0.0.1", "SetPause", "handler", "billing", "collection=eu"));
  }

  @Test
  void a_redrive_is_about_its_tasks_or_the_handler_of_its_filter() {
    AuditedMethod redrive = AuditedMethod.of(method("Redrive"));

    AuditedCall byId =
        redrive.call(
            null, "", RedriveRequest.newBuilder().addIds("a").addIds("b").addIds("c").build());
    AuditedCall byFilter =
        redrive.call(
            null,
            "",
            RedriveRequest.newBuilder()
                .setFilter(
                    RedriveRequest.Filter.newBuilder().setHandler("billing").setError("secret"))
                .build());

    assertThat(byId).isEqualTo(new AuditedCall(null, "", "Redrive", "task", "a", "3 ids: a, b, c"));
    assertThat(byFilter).isEqualTo(new AuditedCall(null, "", "Redrive", "handler", "billing", ""));
  }

  @Test
  void a_change_of_many_tasks_has_the_conditions_by_which_they_were_chosen() {
    AuditedMethod cancel = AuditedMethod.of(method("CancelTasks"));

    AuditedCall some =
        cancel.call(
            null,
            "",
            CancelTasksRequest.newBuilder()
                .setFilter(
                    TaskFilter.newBuilder()
                        .setMinAttempts(3)
                        .addStates(Task.State.NEW)
                        .addStates(Task.State.BLOCKED)
                        .setCollection("eu")
                        .setErrorClass("X".repeat(200))
                        .setBefore(Timestamp.newBuilder().setSeconds(60)))
                .build());
    AuditedCall ofHandler =
        cancel.call(
            null,
            "",
            CancelTasksRequest.newBuilder()
                .setFilter(TaskFilter.newBuilder().setHandler("billing").setKey("anna"))
                .build());

    assertThat(some.detail())
        .isEqualTo(
            "states=NEW+BLOCKED, collection=eu, error_class="
                + "X".repeat(80)
                + "..., before=1970-01-01T00:01:00Z, min_attempts=3");
    assertThat(ofHandler)
        .isEqualTo(new AuditedCall(null, "", "CancelTasks", "handler", "billing", "key=anna"));
  }

  @Test
  void a_redrive_of_many_tasks_has_their_number_and_as_many_ids_as_there_is_room_for() {
    RedriveRequest.Builder request = RedriveRequest.newBuilder();
    for (int i = 0; i < 1_000; i++) {
      request.addIds("01890000-0000-7000-8000-%012d".formatted(i));
    }

    AuditedCall call = AuditedMethod.of(method("Redrive")).call("ana", "", request.build());

    assertThat(call.object()).isEqualTo("01890000-0000-7000-8000-000000000000");
    assertThat(call.detail())
        .startsWith(
            "1000 ids: 01890000-0000-7000-8000-000000000000, 01890000-0000-7000-8000-000000000001,"
                + " ")
        .endsWith("-000000000009, 01890000-0000-7000-8000-000000000010 and 989 more");
    AuditedCall ofLongIds =
        AuditedMethod.of(method("Redrive"))
            .call("ana", "", request.clearIds().addIds("x".repeat(1_000)).addIds("b").build());
    assertThat(ofLongIds.detail()).startsWith("2 ids: xxx").hasSizeLessThanOrEqualTo(500);
  }

  @Test
  void names_that_no_object_can_have_are_made_plain_and_short() {
    assertThat(AuditedText.plain("a\nb\u202ec\0")).isEqualTo("a\\u000ab\\u202ec\\u0000");
    assertThat(AuditedText.plain("x".repeat(100_000))).hasSize(AuditedCall.LONGEST - 1);
    assertThat(AuditedText.plain("\ud83d")).isEqualTo("?");
    assertThat(AuditedText.plain("\0".repeat(1_000)).length()).isLessThan(AuditedCall.LONGEST);
    assertThat(AuditedText.plain("x".repeat(499) + "\ud83d\ude00"))
        .hasSizeLessThanOrEqualTo(AuditedCall.LONGEST);
  }
}
