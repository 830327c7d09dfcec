package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.require;

import com.google.gson.JsonPrimitive;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.FieldMask;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.FieldMaskUtil;
import com.google.protobuf.util.JsonFormat;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.v1.ApplyScheduleResponse.Change;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.UpdateScheduleRequest;
import io.kairos.edge.call.GivenPayload;
import io.kairos.edge.task.FieldUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Merges an update into a schedule message, and lists the differences of two such messages. Of
 * libraries for JSON it has only that of protobuf-java-util, because applications with a node
 * inside have no other.
 */
final class DefinitionChanges {
  /** Callers set the fields up to this number; the node sets those above it, up to the steps. */
  private static final int LAST_GIVEN = Schedule.DECIDER_FIELD_NUMBER;

  private DefinitionChanges() {}

  /** The stored schedule with the fields of the request that its update mask names. */
  static Schedule merged(Schedule before, UpdateScheduleRequest request) {
    Schedule given = withPayload(request.getSchedule());
    FieldMask named = request.getUpdateMask();
    FieldMask mask = named.getPathsCount() > 0 ? checked(named) : fieldsOf(given);
    require(
        mask.getPathsCount() > 0,
        "update_mask",
        "must name a field, or the schedule must have one");
    Schedule.Builder after = new FieldUpdate(given, mask).into(before.toBuilder());
    if (given.getTarget().hasTopic()) {
      unmark(after.getTargetBuilder(), given.getTarget());
    }
    return after.build();
  }

  /** Drops the keys, collection and priority of a former handler: a topic's message has none. */
  private static void unmark(Schedule.Target.Builder after, Schedule.Target given) {
    after
        .setKey(given.getKey())
        .setCollection(given.getCollection())
        .setFairnessKey(given.getFairnessKey());
    if (!given.hasFairnessWeight()) {
      after.clearFairnessWeight();
    }
    if (!given.hasPriority()) {
      after.clearPriority();
    }
  }

  /** Turns text and JSON into the payloads. */
  private static Schedule withPayload(Schedule given) {
    Schedule.Builder after = given.toBuilder();
    if (given.hasTarget()) {
      after.setTarget(
          GivenPayload.inBytes("schedule.target.", Schedule.Target.class, given.getTarget()));
    }
    for (int i = 0; i < given.getStepsCount(); i++) {
      after
          .getStepsBuilder(i)
          .setTarget(
              GivenPayload.inBytes(
                  "schedule.steps[" + i + "].target.",
                  Schedule.Target.class,
                  given.getSteps(i).getTarget()));
    }
    return after.build();
  }

  private static FieldMask checked(FieldMask mask) {
    FieldMask.Builder checked = FieldMask.newBuilder();
    for (String given : mask.getPathsList()) {
      String path = given.startsWith("schedule.") ? given.substring("schedule.".length()) : given;
      path = path.equals("target.text") || path.equals("target.json") ? "target.payload" : path;
      FieldDescriptor first =
          Schedule.getDescriptor()
              .findFieldByName(path.contains(".") ? path.substring(0, path.indexOf('.')) : path);
      require(
          FieldMaskUtil.isValid(Schedule.class, path) && first != null && isDefinition(first),
          "update_mask",
          "\"" + given + "\" is no field of a schedule that can be changed");
      checked.addPaths(path);
    }
    return checked.build();
  }

  private static FieldMask fieldsOf(Schedule given) {
    FieldMask.Builder mask = FieldMask.newBuilder();
    add(mask, "", given);
    return mask.build();
  }

  private static void add(FieldMask.Builder mask, String prefix, Message given) {
    for (FieldDescriptor field : given.getAllFields().keySet()) {
      if (!prefix.isEmpty() || isDefinition(field)) {
        if (isPart(field)) {
          add(mask, prefix + field.getName() + ".", (Message) given.getField(field));
        } else {
          mask.addPaths(prefix + field.getName());
        }
      }
    }
  }

  private static boolean isDefinition(FieldDescriptor field) {
    return (field.getNumber() != Schedule.NAME_FIELD_NUMBER && field.getNumber() <= LAST_GIVEN)
        || field.getNumber() == Schedule.STEPS_FIELD_NUMBER;
  }

  /** True for a nested message whose fields are compared one by one. */
  private static boolean isPart(FieldDescriptor field) {
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE || field.isRepeated()) {
      return false;
    }
    Descriptor type = field.getMessageType();
    return !type.equals(Timestamp.getDescriptor()) && !type.equals(Duration.getDescriptor());
  }

  /** The fields in which two definitions differ. */
  static List<Change> between(Schedule before, Schedule after) {
    List<Change> changes = new ArrayList<>();
    compare(changes, "", before, after);
    return changes;
  }

  private static void compare(List<Change> changes, String prefix, Message before, Message after) {
    for (FieldDescriptor field : before.getDescriptorForType().getFields()) {
      if (prefix.isEmpty() && !isDefinition(field)) {
        continue;
      }
      String path = prefix + field.getName();
      if (isPart(field) && before.hasField(field) && after.hasField(field)) {
        compare(
            changes, path + ".", (Message) before.getField(field), (Message) after.getField(field));
      } else if (!Objects.equals(before.getField(field), after.getField(field))) {
        changes.add(
            Change.newBuilder()
                .setField(path)
                .setBefore(words(field, before))
                .setAfter(words(field, after))
                .build());
      }
    }
  }

  /** The field's value as JSON; of bytes only the length. */
  private static String words(FieldDescriptor field, Message message) {
    boolean absent =
        field.isRepeated()
            ? message.getRepeatedFieldCount(field) == 0
            : field.hasPresence() && !message.hasField(field);
    if (absent) {
      return "";
    }
    if (!field.isRepeated()) {
      return words(message.getField(field));
    }
    List<String> all = new ArrayList<>();
    for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
      all.add(words(message.getRepeatedField(field, i)));
    }
    return "[" + String.join(",", all) + "]";
  }

  private static String words(Object value) {
    return switch (value) {
      case String text -> new JsonPrimitive(text).toString();
      case ByteString bytes -> bytes.size() + " bytes";
      case EnumValueDescriptor word -> "\"" + word.getName() + "\"";
      case Timestamp time -> "\"" + Timestamps.toString(time) + "\"";
      case Duration length -> "\"" + Durations.toString(length) + "\"";
      case Schedule.Step step -> json(withoutPayload(step));
      case Message message -> json(message);
      default -> value.toString();
    };
  }

  private static Message withoutPayload(Schedule.Step step) {
    Schedule.Step.Builder shown = step.toBuilder();
    int bytes = shown.getTarget().getPayload().size();
    shown.getTargetBuilder().clearPayload();
    if (bytes > 0) {
      shown.getTargetBuilder().setText(bytes + " bytes");
    }
    return shown.build();
  }

  private static String json(Message message) {
    try {
      return JsonFormat.printer().omittingInsignificantWhitespace().print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message could not be printed", e);
    }
  }
}
