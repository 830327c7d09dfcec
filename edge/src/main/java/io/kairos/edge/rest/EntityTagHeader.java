package io.kairos.edge.rest;

import static io.kairos.edge.refusal.InvalidField.require;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The headers {@code ETag} of answers and {@code If-Match} of requests, which are the field {@code
 * etag} of what is edited.
 */
final class EntityTagHeader {
  static final String IF_MATCH = "if-match";
  static final String FIELD = "etag";

  /** One strong entity tag of RFC 9110; the quotes are often forgotten. */
  private static final Pattern TAG = Pattern.compile("\"?([!#-+\\--~]+)\"?");

  private EntityTagHeader() {}

  /** The header of an answer; empty for one that cannot be edited. */
  static Optional<String> of(Message answer) {
    FieldDescriptor field = answer.getDescriptorForType().findFieldByName(FIELD);
    String tag = field == null ? "" : (String) answer.getField(field);
    return tag.isEmpty() ? Optional.empty() : Optional.of("\"" + tag + "\"");
  }

  /** True for a request whose body is something that has an entity tag. */
  static boolean isFor(Descriptor request, RestRoute route) {
    return field(request, route) != null;
  }

  private static @Nullable FieldDescriptor field(Descriptor request, RestRoute route) {
    FieldDescriptor resource = request.findFieldByName(route.body());
    boolean isEdited = !route.variables().isEmpty() && resource != null;
    return isEdited ? resource.getMessageType().findFieldByName(FIELD) : null;
  }

  /**
   * Sets the field of the resource in a request.
   *
   * @param value the value of If-Match
   */
  static void into(Message.Builder message, RestRoute route, String value) {
    Descriptor request = message.getDescriptorForType();
    FieldDescriptor field = field(request, route);
    if (field == null) {
      require(false, IF_MATCH, "is not for this call: leave the header out");
      return;
    }
    Matcher tag = TAG.matcher(value.strip());
    require(
        tag.matches() && !value.strip().equals("*"),
        IF_MATCH,
        "must be the one entity tag that the header ETag had when the object was read");
    message
        .getFieldBuilder(request.findFieldByName(route.body()))
        .setField(field, requireNonNull(tag.group(1)));
  }
}
