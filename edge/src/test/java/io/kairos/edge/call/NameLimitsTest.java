package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.Access.Limit;
import io.kairos.api.v1.AccessProto;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.Hashes;
import io.kairos.edge.cron.CronCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every method and every place of its request that names something, from the descriptors: a caller
 * with some names may use these in each place, and no others in any.
 */
class NameLimitsTest {
  private static final String MINE = "mine";
  private static final String THEIRS = "theirs";

  @RegisterExtension
  static final Edge EDGE =
      new Edge(
          List.of(
              new CronCalls(
                  new StoppedReplica(), Edge.MAX_PAYLOAD, new SplittableRandom(7), () -> Edge.NOW)),
          Stream.of(CallerRole.values()).map(NameLimitsTest::caller).toArray(CallerConfig[]::new));

  /** For each kind of name the caller may use only one. */
  private static CallerConfig caller(CallerRole role) {
    Set<String> mine = Set.of(MINE);
    return new CallerConfig(CallerConfig.word(role), Hashes.of(role.name()), Set.of(role))
        .within(new CallerScope(mine, mine, mine, mine, mine));
  }

  static Stream<MethodDescriptor<?, ?>> methods() {
    return AccessTest.methods();
  }

  /** Each method with the path to each field that names something. */
  static Stream<Arguments> places() {
    return methods()
        .filter(method -> limit(method) != Limit.WHOLE)
        .flatMap(method ->
            paths(descriptor(method).getInputType(), List.of()).stream()
                .map(path -> Arguments.of(method, path)));
  }

  private static List<List<FieldDescriptor>> paths(Descriptor type, List<FieldDescriptor> before) {
    List<List<FieldDescriptor>> found = new ArrayList<>();
    for (FieldDescriptor field : type.getFields()) {
      List<FieldDescriptor> path = Stream.concat(before.stream(), Stream.of(field)).toList();
      if (field.getOptions().getExtension(AccessProto.names) != Kind.KIND_UNSPECIFIED) {
        found.add(path);
      } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
          && before.stream().noneMatch(outer -> outer.getMessageType() == field.getMessageType())) {
        found.addAll(paths(field.getMessageType(), path));
      }
    }
    return found;
  }

  private static com.google.protobuf.Descriptors.MethodDescriptor descriptor(
      MethodDescriptor<?, ?> method) {
    return requireNonNull((ProtoMethodDescriptorSupplier) method.getSchemaDescriptor())
        .getMethodDescriptor();
  }

  private static Limit limit(MethodDescriptor<?, ?> method) {
    return descriptor(method).getOptions().getExtension(AccessProto.limit);
  }

  private static Message.Builder empty(MethodDescriptor<?, ?> method) {
    PrototypeMarshaller<?> requests = (PrototypeMarshaller<?>) method.getRequestMarshaller();
    return ((Message) requireNonNull(requests.getMessagePrototype())).newBuilderForType();
  }

  private static void set(Message.Builder message, List<FieldDescriptor> path, String name) {
    FieldDescriptor field = path.getFirst();
    Object value = name;
    if (path.size() > 1) {
      Message.Builder inner = message.newBuilderForField(field);
      set(inner, path.subList(1, path.size()), name);
      value = inner.build();
    }
    if (field.isRepeated()) {
      message.addRepeatedField(field, value);
    } else {
      message.setField(field, value);
    }
  }

  private static String refusal(MethodDescriptor<?, ?> method, Message.Builder request)
      throws IOException {
    String role = descriptor(method).getOptions().getExtension(AccessProto.role).name();
    try {
      EDGE.call(method, JsonFormat.printer().print(request), role);
      return "";
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() == Status.Code.PERMISSION_DENIED
          ? String.valueOf(e.getStatus().getDescription())
          : "";
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void a_name_of_others_is_refused_wherever_it_stands(
      MethodDescriptor<?, ?> method, List<FieldDescriptor> path) throws Exception {
    Kind kind = path.getLast().getOptions().getExtension(AccessProto.names);
    Message.Builder theirs = empty(method);
    set(theirs, path, THEIRS);
    Message.Builder mine = empty(method);
    set(mine, path, MINE);

    assertThat(refusal(method, theirs))
        .contains("may not use the " + kind.name().toLowerCase(Locale.ROOT) + " " + THEIRS);
    assertThat(refusal(method, mine)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_request_without_a_name_is_served_as_the_method_says(MethodDescriptor<?, ?> method)
      throws Exception {
    String refusal = refusal(method, empty(method));

    switch (limit(method)) {
      case NAMED -> assertThat(refusal).contains("must name what it asks for");
      case WHOLE -> assertThat(refusal).contains("is for callers without a limit of names");
      case FOUND, ANY -> assertThat(refusal).isEmpty();
      case UNRECOGNIZED -> throw new AssertionError(method.getFullMethodName());
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_method_that_must_name_something_can(MethodDescriptor<?, ?> method) {
    boolean names = !paths(descriptor(method).getInputType(), List.of()).isEmpty();

    assertThat(names || limit(method) != Limit.NAMED).isTrue();
  }
}
