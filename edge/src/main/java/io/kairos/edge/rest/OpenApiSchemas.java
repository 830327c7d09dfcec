package io.kairos.edge.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.api.FieldBehavior;
import com.google.api.FieldBehaviorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Timestamp;
import io.kairos.api.text.ProtoComments;
import io.kairos.api.v1.RestProto;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The schemas of messages and enumerations in their JSON form, each under a name of its own that
 * others refer to.
 */
final class OpenApiSchemas {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String TYPE = "type";
  private static final String FORMAT = "format";
  private static final String DESCRIPTION = "description";
  private static final String TEXT = "string";

  private final ProtoComments comments;
  private final ObjectNode schemas = JSON.objectNode();

  /** The owner of each schema's name. */
  private final Map<String, Object> owners = new HashMap<>();

  OpenApiSchemas(ProtoComments comments) {
    this.comments = comments;
  }

  ObjectNode all() {
    return schemas;
  }

  /** A reference to the schema of a message, which is made when it is not there. */
  ObjectNode of(Descriptor message) {
    String name = name(message.getFullName(), message.getFile().getPackage());
    if (claim(name, message)) {
      schemas.set(name, object(message, Set.of()));
    }
    return reference(name);
  }

  /**
   * A reference to the schema of a request's body.
   *
   * @param absent names of fields that are in the path
   * @param suffix of the schema's name
   */
  ObjectNode without(Descriptor message, Set<String> absent, String suffix) {
    String name = message.getName() + suffix;
    OpenApi.require(claim(name, absent), "two schemas are named " + name);
    schemas.set(name, object(message, absent));
    return reference(name);
  }

  /** True when the name is new. */
  private boolean claim(String name, Object owner) {
    Object before = owners.putIfAbsent(name, owner);
    OpenApi.require(before == null || before.equals(owner), "two schemas are named " + name);
    if (before == null) {
      schemas.putNull(name); // holds its place: a message may contain itself
    }
    return before == null;
  }

  private static String name(String fullName, String inPackage) {
    return fullName.substring(inPackage.length() + 1).replace(".", "");
  }

  private static ObjectNode reference(String name) {
    return JSON.objectNode().put("$ref", "#/components/schemas/" + name);
  }

  private ObjectNode object(Descriptor message, Set<String> absent) {
    ObjectNode schema = JSON.objectNode().put(TYPE, "object");
    describe(schema, comments.of(message));
    ObjectNode properties = schema.putObject("properties");
    for (FieldDescriptor field : message.getFields()) {
      if (!absent.contains(field.getName())) {
        properties.set(field.getJsonName(), property(field));
      }
    }
    return schema;
  }

  private ObjectNode property(FieldDescriptor field) {
    ObjectNode schema = bare(field);
    String about = comments.of(field) + alternatives(field);
    boolean isReadOnly =
        field
            .getOptions()
            .getExtension(FieldBehaviorProto.fieldBehavior)
            .contains(FieldBehavior.OUTPUT_ONLY);
    if (schema.has("$ref") && (isReadOnly || !about.isEmpty())) {
      // Members beside a reference are ignored.
      ObjectNode referring = JSON.objectNode();
      referring.putArray("allOf").add(schema);
      schema = referring;
    }
    describe(schema, about);
    if (isReadOnly) {
      schema.put("readOnly", true);
    }
    return schema;
  }

  private static String alternatives(FieldDescriptor field) {
    OneofDescriptor oneof = field.getRealContainingOneof();
    return oneof == null
        ? ""
        : oneof.getFields().stream()
            .map(FieldDescriptor::getJsonName)
            .collect(Collectors.joining(", ", " At most one of ", " may be given."));
  }

  private static void describe(ObjectNode schema, String about) {
    if (!about.isEmpty()) {
      schema.put(DESCRIPTION, about.strip());
    }
  }

  /** True for a message whose fields are given one by one. */
  static boolean isObject(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && !JsonMessage.isScalar(field.getMessageType());
  }

  /** The schema of a field without its description. */
  ObjectNode bare(FieldDescriptor field) {
    ObjectNode one = value(field);
    if (!field.isRepeated()) {
      return one;
    }
    ObjectNode list = JSON.objectNode().put(TYPE, "array");
    list.set("items", one);
    return list;
  }

  private ObjectNode value(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> scalar("integer", "int32");
      case LONG -> scalar(TEXT, "int64");
      case FLOAT -> scalar("number", "float");
      case DOUBLE -> scalar("number", "double");
      case BOOLEAN -> JSON.objectNode().put(TYPE, "boolean");
      case STRING ->
          field.getOptions().getExtension(RestProto.jsonValue)
              ? JSON.objectNode() // any value
              : JSON.objectNode().put(TYPE, TEXT);
      case BYTE_STRING -> scalar(TEXT, "byte");
      case ENUM -> of(field.getEnumType());
      case MESSAGE -> isObject(field) ? of(field.getMessageType()) : time(field.getMessageType());
    };
  }

  private static ObjectNode scalar(String type, String format) {
    return JSON.objectNode().put(TYPE, type).put(FORMAT, format);
  }

  private static ObjectNode time(Descriptor type) {
    ObjectNode schema = JSON.objectNode().put(TYPE, TEXT);
    if (type.equals(Timestamp.getDescriptor())) {
      return schema.put(FORMAT, "date-time");
    }
    if (type.equals(Duration.getDescriptor())) {
      return schema.put("pattern", "^-?[0-9]+(\\.[0-9]{1,9})?s$").put("example", "1.5s");
    }
    OpenApi.require(type.equals(FieldMask.getDescriptor()), "no schema for " + type.getFullName());
    return schema.put("example", "maxRunning,burst");
  }

  /** With the value for none, which answers may have where a request leaves the field out. */
  private ObjectNode of(EnumDescriptor type) {
    String name = name(type.getFullName(), type.getFile().getPackage());
    if (claim(name, type)) {
      ObjectNode schema = JSON.objectNode().put(TYPE, TEXT);
      StringBuilder about = new StringBuilder(comments.of(type)).append('\n');
      ArrayNode values = schema.putArray("enum");
      for (EnumValueDescriptor value : type.getValues()) {
        String words = value.getNumber() == 0 ? "Not set; only in answers." : comments.of(value);
        about.append("\n- `").append(value.getName()).append("`: ").append(words);
        values.add(value.getName());
      }
      describe(schema, about.toString());
      schemas.set(name, schema);
    }
    return reference(name);
  }

  /** A reference to the schema of errors. */
  ObjectNode problem() {
    ObjectNode schema = JSON.objectNode().put(TYPE, "object");
    describe(schema, "An error, by RFC 9457. Depending on its type it has further members.");
    ObjectNode properties = schema.putObject("properties");
    properties.set("type", text("URI that names the kind of error.").put(FORMAT, "uri"));
    properties.set("title", text("The kind of error in words."));
    properties.set("status", scalar("integer", "int32").put(DESCRIPTION, "The HTTP status."));
    properties.set("code", text("The gRPC code, such as INVALID_ARGUMENT."));
    properties.set("detail", text("What is wrong with this request, and what to do."));
    properties.set("field", text("The field of the request that broke a rule."));
    properties.set("reason", text("NOTHING_DONE when nothing was done and a retry may help."));
    schema.put("additionalProperties", true);
    OpenApi.require(claim("Problem", "problem"), "a message is named Problem");
    schemas.set("Problem", schema);
    return reference("Problem");
  }

  private static ObjectNode text(String about) {
    return JSON.objectNode().put(TYPE, TEXT).put(DESCRIPTION, about);
  }
}
