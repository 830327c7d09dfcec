package io.kairos.api;

import com.google.api.AnnotationsProto;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.AccessProto;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Writes the table of who may call what, from the options of methods and fields. */
final class AccessTable {
  private static final String HEAD =
      """

      ## Who may call what

      A caller of `http.callers` has roles, and may be limited to handlers, pools, topics, schedules and limits by patterns of their names. Whatever a request of a limited
      caller names must match, wherever in the request the name is: a schedule's target as well as the schedule. The last column says what else holds for it.

      | Method | REST | Role | A caller who may use some names only |
      | --- | --- | --- | --- |
      """;

  private final Map<String, DescriptorProto> messages = new HashMap<>();

  private AccessTable() {}

  static String of(List<FileDescriptorProto> files) {
    AccessTable table = new AccessTable();
    StringBuilder text = new StringBuilder(HEAD);
    for (FileDescriptorProto file : files) {
      file.getMessageTypeList().forEach(message -> table.add("." + file.getPackage(), message));
    }
    for (FileDescriptorProto file : files) {
      for (ServiceDescriptorProto service : file.getServiceList()) {
        service.getMethodList().forEach(method -> text.append(table.line(service, method)));
      }
    }
    return text.toString();
  }

  private void add(String outer, DescriptorProto message) {
    String name = outer + "." + message.getName();
    messages.put(name, message);
    message.getNestedTypeList().forEach(inner -> add(name, inner));
  }

  private String line(ServiceDescriptorProto service, MethodDescriptorProto method) {
    String kinds =
        kinds(method.getInputType(), new HashSet<>()).stream()
            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    String limited =
        switch (method.getOptions().getExtension(AccessProto.limit)) {
          case NAMED -> "names its " + kinds;
          case FOUND -> "finds its own only" + (kinds.isEmpty() ? "" : ", and names its " + kinds);
          case ANY -> "may call it" + (kinds.isEmpty() ? "" : ", and names its " + kinds);
          case WHOLE -> "may not";
          case UNRECOGNIZED -> throw new IllegalStateException(method.getName());
        };
    return "| %s.%s | `%s` | %s | %s |%n"
        .formatted(
            service.getName(),
            method.getName(),
            ApiPage.http(method.getOptions().getExtension(AnnotationsProto.http)),
            method.getOptions().getExtension(AccessProto.role).name().toLowerCase(Locale.ROOT),
            limited);
  }

  private Set<Kind> kinds(String type, Set<String> outer) {
    Set<Kind> found = new TreeSet<>();
    DescriptorProto message = messages.get(type);
    if (message != null && outer.add(type)) {
      for (FieldDescriptorProto field : message.getFieldList()) {
        Kind kind = field.getOptions().getExtension(AccessProto.names);
        if (kind != Kind.KIND_UNSPECIFIED) {
          found.add(kind);
        }
        found.addAll(kinds(field.getTypeName(), outer));
      }
      outer.remove(type);
    }
    return found;
  }
}
