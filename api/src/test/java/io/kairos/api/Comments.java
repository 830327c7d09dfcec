package io.kairos.api;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The comments of a proto file, by the path of what they stand above, as descriptor.proto numbers
 * it.
 */
final class Comments {
  private static final int SYNTAX = 12;

  private final Map<List<Integer>, String> byPath = new HashMap<>();

  Comments(FileDescriptorProto file) {
    for (Location location : file.getSourceCodeInfo().getLocationList()) {
      if (location.hasLeadingComments()) {
        byPath.put(List.copyOf(location.getPathList()), location.getLeadingComments());
      }
    }
  }

  /** The comment at the top of the file. */
  String top() {
    return at(List.of(), SYNTAX);
  }

  /** In paragraphs without line ends; empty when there is none. */
  String at(List<Integer> parent, Integer... rest) {
    StringBuilder text = new StringBuilder();
    for (String line : byPath.getOrDefault(below(parent, rest), "").split("\n", -1)) {
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

  static List<Integer> below(List<Integer> parent, Integer... rest) {
    List<Integer> path = new ArrayList<>(parent);
    path.addAll(List.of(rest));
    return path;
  }
}
