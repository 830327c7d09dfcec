package io.kairos.edge.rest;

import static io.kairos.edge.refusal.InvalidField.require;
import static java.util.Objects.requireNonNull;

import com.google.api.FieldBehavior;
import com.google.api.FieldBehaviorProto;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The message that a REST request becomes, from its body, path, query and headers in this order.
 * Throws {@link io.kairos.edge.refusal.InvalidField}.
 */
final class RestRequest {
  private static final String MASK = "update_mask";

  private final Message.Builder message;
  private final RestRoute route;
  private final boolean isIdempotent;

  /** The fields that have been set so far. */
  private final Set<FieldDescriptor> given = new HashSet<>();

  /** Paths of the fields that the body has, from the field that is the body. */
  private final List<String> inBody = new ArrayList<>();

  /**
   * The message before anything is read.
   *
   * @param isIdempotent true when the method may be repeated without a key
   */
  RestRequest(Message.Builder message, RestRoute route, boolean isIdempotent) {
    this.message = message;
    this.route = route;
    this.isIdempotent = isIdempotent;
  }

  void readBody(AggregatedHttpRequest request) {
    InputStream body = request.content().toInputStream();
    if (route.takesWholeBody()) {
      given.addAll(JsonMessage.read(body, message));
    } else if (!route.body().isEmpty()) {
      FieldDescriptor field = field(message, route.body());
      given.add(field);
      JsonMessage.read(body, message.getFieldBuilder(field), route.body(), inBody::add);
    }
  }

  /**
   * Sets a field from the path. A field of the resource that the body has may be in the body too,
   * with an equal value: who changes what was read sends it back.
   */
  void readPath(String path, String text) {
    Message.Builder part = message;
    String[] names = path.split("\\.", -1);
    for (int i = 0; i < names.length - 1; i++) {
      part = part.getFieldBuilder(field(part, names[i]));
    }
    FieldDescriptor field = field(part, RestRoute.last(path));
    Object value = JsonMessage.scalar(field, path, text);
    if (names.length == 1) {
      require(given.add(field), path, "is given twice");
    } else {
      Object before = part.getField(field);
      require(
          before.equals(field.getDefaultValue()) || before.equals(value),
          path,
          "must be left out of the body, or be equal to that of the path");
    }
    part.setField(field, value);
  }

  void readQuery(String name, String text) {
    require(!route.takesWholeBody(), name, "must be in the body, this has no parameters");
    JsonMessage.set(message, name, text, given);
  }

  void readHeaders(RequestHeaders headers) {
    String key = headers.get(IdempotencyKeyHeader.NAME);
    // All methods of HTTP but POST are idempotent by themselves.
    if (key != null && route.method() == HttpMethod.POST && !isIdempotent) {
      IdempotencyKeyHeader.into(message, key);
    }
    String tag = headers.get(EntityTagHeader.IF_MATCH);
    if (tag != null && route.method() != HttpMethod.GET) {
      EntityTagHeader.into(message, route, tag);
    }
    // Who sends it to a change relies on it: without it an object could be replaced.
    require(
        route.method() == HttpMethod.GET || !headers.contains(HttpHeaderNames.IF_NONE_MATCH),
        "if-none-match",
        "is not heeded by changes: leave it out. A POST creates and never replaces; of an entry of"
            + " a replicated cron, a PUT with mode=CREATE");
  }

  Message build() {
    requireOwnUrl();
    if (route.method() == HttpMethod.PATCH) {
      nameChanges();
    }
    return message.build();
  }

  /** Refuses fields that would make the request one about another object than its path names. */
  private void requireOwnUrl() {
    for (FieldDescriptor field : given) {
      String other = route.elsewhere().get(field.getName());
      require(other == null, field.getName(), "must be in the path, as in " + other);
    }
  }

  /**
   * Names the fields that a PATCH changes when its caller has not: those that the body has, null
   * included, as in a JSON merge patch. Fields that the node sets are left out, so that what was
   * read can be sent back.
   */
  private void nameChanges() {
    FieldDescriptor mask = message.getDescriptorForType().findFieldByName(MASK);
    if (mask == null || message.hasField(mask)) {
      return;
    }
    FieldDescriptor resource = field(message, route.body());
    FieldMask.Builder names = FieldMask.newBuilder();
    for (String path : inBody) {
      String name = path.substring(route.body().length() + 1);
      FieldDescriptor first =
          resource.getMessageType().findFieldByName(name.replaceFirst("\\..*", ""));
      // An item of a list has no name of its own: the list is changed as a whole.
      boolean isItem = path.contains("[");
      boolean isTag = EntityTagHeader.FIELD.equals(name);
      if (!isItem && !isTag && !route.variables().contains(path) && isChangeable(first)) {
        names.addPaths(name);
      }
    }
    message.setField(mask, names.build());
  }

  private static boolean isChangeable(FieldDescriptor field) {
    return !field
        .getOptions()
        .getExtension(FieldBehaviorProto.fieldBehavior)
        .contains(FieldBehavior.OUTPUT_ONLY);
  }

  private static FieldDescriptor field(Message.Builder of, String name) {
    return requireNonNull(of.getDescriptorForType().findFieldByName(name));
  }
}
