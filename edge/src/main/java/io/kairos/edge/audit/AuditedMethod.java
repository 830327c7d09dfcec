package io.kairos.edge.audit;

import static io.kairos.edge.call.AuditedText.plain;
import static io.kairos.engine.audit.AuditedCall.LONGEST;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.grpc.BindableService;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.edge.caller.NamedFields;
import io.kairos.engine.audit.AuditedCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the audit log says of the calls of one method. Only names and numbers of objects are taken
 * from a request, never a payload, a note or a secret.
 *
 * @param action the name of the method
 * @param kind of its objects, as the path of REST has it, in the singular
 * @param name path of the field that names the object; empty when that is not in the path of REST,
 *     and the first name that the request has counts
 * @param parts paths of fields that say which part of the object the call is about
 */
record AuditedMethod(
    String action, String kind, String name, List<String> parts, NamedFields named) {
  private static final Pattern VARIABLE = Pattern.compile("(?:([A-Za-z]+)/)?\\{([\\w.]+)}");
  private static final Pattern FIRST_COLLECTION = Pattern.compile("/v1/(?:cron/)?([A-Za-z]+)");
  private static final String FILTERED_HANDLER = "filter.handler";
  private static final List<String> PARTS =
      List.of(
          "collection",
          "key",
          FILTERED_HANDLER,
          "filter.states",
          "filter.collection",
          "filter.key",
          "filter.error_class",
          "filter.error_fingerprint",
          "filter.not_before",
          "filter.before",
          "filter.ended_not_before",
          "filter.ended_before",
          "filter.min_attempts",
          "filter.accepted_until",
          "dry_run",
          "undo",
          "again",
          "correction.run_at");

  /** Characters that one part has, so that there is room for the others. */
  private static final int LONGEST_PART = 80;

  private static final String HAS_MANY = "ids";

  /** Characters for ids that a detail has, so that there is room for the number of the others. */
  private static final int MOST_OF_IDS = LONGEST - 40;

  AuditedMethod {
    parts = List.copyOf(parts);
  }

  /** The methods of these services, by their full names. */
  static Map<String, AuditedMethod> of(List<BindableService> services) {
    Map<String, AuditedMethod> all = new HashMap<>();
    for (BindableService service : services) {
      for (io.grpc.MethodDescriptor<?, ?> method :
          service.bindService().getServiceDescriptor().getMethods()) {
        if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
          all.put(method.getFullMethodName(), of(proto.getMethodDescriptor()));
        }
      }
    }
    return all;
  }

  static AuditedMethod of(MethodDescriptor method) {
    HttpRule rule = method.getOptions().getExtension(AnnotationsProto.http);
    String path =
        Stream.of(rule.getGet(), rule.getPost(), rule.getPut(), rule.getPatch(), rule.getDelete())
            .filter(one -> !one.isEmpty())
            .findFirst()
            .orElse("");
    Matcher first = FIRST_COLLECTION.matcher(path);
    String kind = singular(first.find() ? String.valueOf(first.group(1)) : "");
    String name = "";
    List<String> parts = new ArrayList<>();
    Matcher variable = VARIABLE.matcher(path);
    while (variable.find()) {
      String field = String.valueOf(variable.group(2));
      if (name.isEmpty()) {
        kind = singular(String.valueOf(variable.group(1)));
        name = field;
      } else {
        parts.add(field);
      }
    }
    PARTS.stream().filter(part -> isField(method.getInputType(), part)).forEach(parts::add);
    return new AuditedMethod(
        method.getName(), kind, name, parts, NamedFields.of(method.getInputType()));
  }

  private static boolean isField(Descriptor type, String path) {
    int dot = path.indexOf('.');
    FieldDescriptor field = type.findFieldByName(dot < 0 ? path : path.substring(0, dot));
    return field != null
        && (dot < 0
            || (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && isField(field.getMessageType(), path.substring(dot + 1))));
  }

  private static String singular(String plural) {
    if (plural.endsWith("ies")) {
      return plural.substring(0, plural.length() - 3) + "y";
    }
    if (plural.endsWith("ches")) {
      return plural.substring(0, plural.length() - 2);
    }
    return plural.endsWith("s") ? plural.substring(0, plural.length() - 1) : plural;
  }

  /** A call whose request has not been read. */
  static AuditedCall unread(String fullMethodName, @Nullable String caller, String address) {
    return new AuditedCall(
        caller == null ? null : plain(caller),
        plain(address),
        plain(fullMethodName.substring(fullMethodName.lastIndexOf('/') + 1)),
        "",
        "",
        "");
  }

  AuditedCall call(@Nullable String caller, String address, Message request) {
    String foundKind = kind;
    String object = name.isEmpty() ? "" : value(request, name);
    if (name.isEmpty()) {
      List<NamedFields.Named> found = named.in(request);
      if (!found.isEmpty()) {
        foundKind = found.getFirst().kind().name().toLowerCase(Locale.ROOT);
        object = found.getFirst().name();
      }
    }
    List<String> details = new ArrayList<>();
    for (String part : parts) {
      String value = value(request, part);
      boolean isObject = part.equals(FILTERED_HANDLER) && value.equals(object);
      // Of conditions the default counts as not set; a number in the path may be 0.
      boolean isDefault = value.equals("false") || (value.equals("0") && PARTS.contains(part));
      if (!value.isEmpty() && !isDefault && !isObject) {
        details.add(part.substring(part.lastIndexOf('.') + 1) + "=" + bounded(value));
      }
    }
    FieldDescriptor many = request.getDescriptorForType().findFieldByName(HAS_MANY);
    if (many != null && many.isRepeated() && request.getRepeatedFieldCount(many) > 0) {
      object = request.getRepeatedField(many, 0).toString();
      if (request.getRepeatedFieldCount(many) > 1) {
        details.add(ids((List<?>) request.getField(many)));
      }
    }
    return new AuditedCall(
        caller == null ? null : plain(caller),
        plain(address),
        action,
        foundKind,
        plain(object),
        plain(String.join(", ", details)));
  }

  /** The number of ids, and as many of them as a detail has room for. */
  private static String ids(List<?> all) {
    StringBuilder text = new StringBuilder("%d ids: ".formatted(all.size())).append(all.getFirst());
    int shown = 1;
    while (shown < all.size()
        && text.length() + all.get(shown).toString().length() + 2 <= MOST_OF_IDS) {
      text.append(", ").append(all.get(shown));
      shown++;
    }
    return shown == all.size()
        ? text.toString()
        : text.append(" and %d more".formatted(all.size() - shown)).toString();
  }

  private static String bounded(String value) {
    return value.length() <= LONGEST_PART ? value : value.substring(0, LONGEST_PART) + "...";
  }

  /** The text of a field; empty when it is not set. */
  private static String value(Message request, String path) {
    int dot = path.indexOf('.');
    FieldDescriptor field =
        request.getDescriptorForType().findFieldByName(dot < 0 ? path : path.substring(0, dot));
    if (field == null) {
      return "";
    }
    if (field.isRepeated()) {
      return field.getJavaType() == FieldDescriptor.JavaType.ENUM
          ? ((List<?>) request.getField(field))
              .stream().map(String::valueOf).collect(Collectors.joining("+"))
          : "";
    }
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      Object value = request.getField(field);
      if (dot >= 0) {
        return value((Message) value, path.substring(dot + 1));
      }
      return request.hasField(field) && value instanceof Timestamp time ? text(time) : "";
    }
    return !field.hasPresence() || request.hasField(field)
        ? request.getField(field).toString()
        : "";
  }

  /** RFC 3339; empty for a time that the request may not have. */
  private static String text(Timestamp time) {
    return Timestamps.isValid(time) ? Timestamps.toString(time) : "";
  }
}
