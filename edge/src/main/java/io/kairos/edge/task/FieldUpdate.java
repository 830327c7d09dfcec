package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.require;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.util.FieldMaskUtil;
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
public record FieldUpdate(Message given, FieldMask named) {
  /** A field that is named and not given is cleared, and a list is replaced as a whole. */
  private static final FieldMaskUtil.MergeOptions REPLACE =
      new FieldMaskUtil.MergeOptions()
          .setReplaceMessageFields(true)
          .setReplaceRepeatedFields(true)
          .setReplacePrimitiveFields(true);

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
    return new FieldUpdate(given, FieldMask.newBuilder().addAllPaths(named).build());
  }

  boolean names(String field) {
    return named.getPathsList().contains(field);
  }

  /** Sets the named fields. */
  public <B extends Message.Builder> B into(B before) {
    FieldMaskUtil.merge(named, given, before, REPLACE);
    return before;
  }

  private static boolean isSet(Message given, String path) {
    String[] names = path.split("\\.", 2);
    FieldDescriptor field = requireNonNull(given.getDescriptorForType().findFieldByName(names[0]));
    return given.hasField(field)
        && (names.length == 1 || isSet((Message) given.getField(field), names[1]));
  }
}
