package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.require;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A partial update of a message.
 *
 * @param given the new values; a field that is named and not set gets its default
 * @param named paths of the fields to change
 */
record FieldUpdate(Message given, Set<String> named) {
  /**
   * Reads an update. Throws {@link io.kairos.edge.refusal.InvalidField}.
   *
   * @param message the message's field in the request, with which the mask's paths may begin
   * @param mask the fields to change; null for those that are set
   * @param fields paths of the fields that can be changed; a mask may name the messages around them
   * @param rule refusal of a mask that names another field
   * @param least refusal of an update that changes nothing
   */
  static FieldUpdate of(
      String message,
      Message given,
      @Nullable FieldMask mask,
      List<String> fields,
      String rule,
      String least) {
    Set<String> named = new HashSet<>();
    if (mask == null) {
      fields.stream().filter(field -> isSet(given, field)).forEach(named::add);
    } else {
      for (String path : mask.getPathsList()) {
        String field = path.startsWith(message + ".") ? path.substring(message.length() + 1) : path;
        List<String> found =
            fields.stream().filter(one -> (one + ".").startsWith(field + ".")).toList();
        require(!found.isEmpty(), "update_mask", rule);
        named.addAll(found);
      }
    }
    require(!named.isEmpty(), "update_mask", least);
    return new FieldUpdate(given, named);
  }

  boolean names(String field) {
    return named.contains(field);
  }

  /** Sets the named fields. */
  <B extends Message.Builder> B into(B before) {
    named.forEach(path -> copy(given, before, path));
    return before;
  }

  private static void copy(Message given, Message.Builder into, String path) {
    FieldDescriptor field = first(given, path);
    if (path.contains(".")) {
      copy((Message) given.getField(field), into.getFieldBuilder(field), rest(path));
    } else if (given.hasField(field)) {
      into.setField(field, given.getField(field));
    } else {
      into.clearField(field);
    }
  }

  private static boolean isSet(Message given, String path) {
    FieldDescriptor field = first(given, path);
    return given.hasField(field)
        && (!path.contains(".") || isSet((Message) given.getField(field), rest(path)));
  }

  private static FieldDescriptor first(MessageOrBuilder given, String path) {
    String name = path.split("\\.", 2)[0];
    return requireNonNull(given.getDescriptorForType().findFieldByName(name));
  }

  private static String rest(String path) {
    return path.substring(path.indexOf('.') + 1);
  }
}
