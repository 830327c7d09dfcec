package io.kairos.api.text;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.ExtensionRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The comments of the API's proto files, which generated code does not have: they are read from the
 * descriptor set beside the protos in this jar. Each is in paragraphs without line ends, and empty
 * where there is none. Unmodifiable.
 */
public final class ProtoComments {
  private static final String DESCRIPTORS = "/kairos/v1/kairos.binpb";

  private static final int MESSAGE = 4;
  private static final int ENUM = 5;
  private static final int SERVICE = 6;
  private static final int SYNTAX = 12;

  /** Within a message, an enumeration or a service: their fields, values and methods. */
  private static final int MEMBER = 2;

  private static final int NESTED_MESSAGE = 3;
  private static final int NESTED_ENUM = 4;

  /** By file and by the path of what they stand above, as descriptor.proto numbers it. */
  private final Map<String, Map<List<Integer>, String>> byFile = new HashMap<>();

  private ProtoComments(List<FileDescriptorProto> files) {
    for (FileDescriptorProto file : files) {
      Map<List<Integer>, String> comments = new HashMap<>();
      for (Location location : file.getSourceCodeInfo().getLocationList()) {
        if (location.hasLeadingComments()) {
          comments.put(List.copyOf(location.getPathList()), location.getLeadingComments());
        }
      }
      byFile.put(file.getName(), comments);
    }
  }

  /** Reads them; takes some milliseconds. */
  public static ProtoComments read() {
    return new ProtoComments(files(ExtensionRegistry.getEmptyRegistry()));
  }

  /** The proto files of the API with their comments, with these extensions. */
  public static List<FileDescriptorProto> files(ExtensionRegistry extensions) {
    try (InputStream in = ProtoComments.class.getResourceAsStream(DESCRIPTORS)) {
      if (in == null) {
        throw new IllegalStateException(DESCRIPTORS + " is missing in the jar");
      }
      return FileDescriptorSet.parseFrom(in, extensions).getFileList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The comment at the top of a service's file. */
  public String of(ServiceDescriptor service) {
    return at(service.getFile().getName(), List.of(SYNTAX));
  }

  public String of(MethodDescriptor method) {
    ServiceDescriptor service = method.getService();
    return at(
        service.getFile().getName(),
        List.of(SERVICE, service.getIndex(), MEMBER, method.getIndex()));
  }

  public String of(Descriptor message) {
    return at(message.getFile().getName(), path(message));
  }

  public String of(FieldDescriptor field) {
    return at(
        field.getFile().getName(),
        below(path(field.getContainingType()), MEMBER, field.getIndex()));
  }

  public String of(EnumDescriptor type) {
    return at(type.getFile().getName(), path(type));
  }

  public String of(EnumValueDescriptor value) {
    return at(value.getFile().getName(), below(path(value.getType()), MEMBER, value.getIndex()));
  }

  private static List<Integer> path(Descriptor message) {
    Descriptor outer = message.getContainingType();
    return outer == null
        ? List.of(MESSAGE, message.getIndex())
        : below(path(outer), NESTED_MESSAGE, message.getIndex());
  }

  private static List<Integer> path(EnumDescriptor type) {
    Descriptor outer = type.getContainingType();
    return outer == null
        ? List.of(ENUM, type.getIndex())
        : below(path(outer), NESTED_ENUM, type.getIndex());
  }

  /** A longer path. */
  public static List<Integer> below(List<Integer> path, Integer... rest) {
    List<Integer> longer = new ArrayList<>(path);
    longer.addAll(List.of(rest));
    return longer;
  }

  /**
   * The comment of anything in a file.
   *
   * @param path its place, as descriptor.proto numbers it
   */
  public String at(String file, List<Integer> path) {
    StringBuilder text = new StringBuilder();
    String comment = byFile.getOrDefault(file, Map.of()).getOrDefault(path, "");
    for (String line : comment.split("\n", -1)) {
      String words = line.strip();
      if (words.isEmpty()) {
        text.append("\n\n");
      } else {
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? "" : " ");
        text.append(words);
      }
    }
    return text.toString().strip();
  }
}
