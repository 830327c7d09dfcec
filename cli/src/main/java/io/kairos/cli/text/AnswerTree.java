package io.kairos.cli.text;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.kairos.api.text.ProtoTime;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.task.TaskResult;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts answers to trees of maps, lists and scalars, from which JSON and YAML are written.
 * Records become maps of their components, and API messages maps of their fields with their JSON
 * names; absent values are left out.
 */
public final class AnswerTree {
  private AnswerTree() {}

  /** Returns the tree of a value; null for null. */
  public static @Nullable Object of(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Timestamp time -> ProtoTime.of(time).toString();
      case Duration length -> seconds(ProtoTime.of(length));
      case Message message -> fields(message);
      case ScheduleSpec spec -> fields(ApiMessages.of(spec));
      case ScheduleStatus status -> schedule(status);
      case EnumValueDescriptor word -> word.getName();
      case TaskResult result -> result(result);
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case ByteString bytes -> Base64.getEncoder().encodeToString(bytes.toByteArray());
      case java.time.Duration length -> seconds(length);
      case Collection<?> many -> list(many);
      case Map<?, ?> map -> map(map);
      case Number number -> number;
      case Boolean flag -> flag;
      case Enum<?> word -> word.name();
      case Record record when isPlain(record) -> components(record);
      default -> value.toString();
    };
  }

  private static Map<String, Object> result(TaskResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    put(tree, "value", result.value());
    put(tree, "contentType", result.contentType());
    return tree;
  }

  /** Records with their own toString, such as ids, become that text. */
  private static boolean isPlain(Record record) {
    try {
      return record.getClass().getMethod("toString").getDeclaringClass() == record.getClass()
          && record.toString().startsWith(record.getClass().getSimpleName() + "[");
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every object has it", e);
    }
  }

  /** Returns a scalar as proto3 writes it in JSON. */
  private static String seconds(java.time.Duration length) {
    String text = new BigDecimal(length.toNanos()).movePointLeft(9).toPlainString();
    return (text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text) + "s";
  }

  private static List<Object> list(Collection<?> many) {
    List<Object> list = new ArrayList<>();
    many.forEach(one -> {
      Object tree = of(one);
      if (tree != null) {
        list.add(tree);
      }
    });
    return list;
  }

  private static Map<String, Object> map(Map<?, ?> map) {
    Map<String, Object> tree = new LinkedHashMap<>();
    map.forEach((key, value) -> put(tree, String.valueOf(key), value));
    return tree;
  }

  private static Map<String, Object> fields(Message message) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      put(tree, field.getKey().getJsonName(), field.getValue());
    }
    return tree;
  }

  /**
   * Returns the definition of a schedule together with the fields that the node sets, as in the API
   * message.
   */
  private static Map<String, Object> schedule(ScheduleStatus status) {
    Map<String, Object> tree = fields(ApiMessages.of(status.spec()));
    Map<String, Object> more = components(status);
    more.remove("spec");
    tree.putAll(more);
    return tree;
  }

  private static Map<String, Object> components(Record record) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (RecordComponent component : requireNonNull(record.getClass().getRecordComponents())) {
      try {
        put(tree, component.getName(), component.getAccessor().invoke(record));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("our records are public", e);
      }
    }
    return tree;
  }

  private static void put(Map<String, Object> tree, String name, @Nullable Object value) {
    Object inner = of(value);
    if (inner != null) {
      tree.put(name, inner);
    }
  }
}
