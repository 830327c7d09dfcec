package io.kairos.cli.text;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.kairos.api.text.MessageReader;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.text.TextValue;
import io.kairos.domain.time.DurationText;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads API messages from YAML by the rules of {@link MessageReader}; durations may also be written
 * as 10m. Errors name the line and the path.
 */
final class YamlMessage extends MessageReader {
  private static final Map<Descriptor, String> RULES =
      Map.of(
          Timestamp.getDescriptor(), "must be a time such as 2030-01-31T12:00:00Z",
          Duration.getDescriptor(),
              "must be a duration such as 500ms, 90s, 10m, 1h30m, 7d or PT1M30S");

  private final String file;

  YamlMessage(String file) {
    super(RULES);
    this.file = file;
  }

  /** Sets the fields of a node of the YAML tree. */
  void read(Node node, Message.Builder into, String path) {
    try {
      var _ = read(new YamlValue(file, node, node), into, path);
    } catch (IOException e) {
      throw new IllegalStateException("a node is in memory", e);
    }
  }

  @Override
  protected String nameOf(FieldDescriptor field, String written) {
    return written;
  }

  @Override
  protected Message message(Descriptor type, String text) {
    if (type.equals(Duration.getDescriptor())) {
      return ProtoTime.of(DurationText.parse(text));
    }
    try {
      return ProtoTime.of(Instant.parse(text));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static IllegalArgumentException refused(String file, Node node, String path, String rule) {
    int line = node.getStartMark() == null ? 0 : node.getStartMark().getLine() + 1;
    return new IllegalArgumentException(
        "%s:%d: %s%s".formatted(file, line, path.isEmpty() ? "" : path + ": ", rule));
  }

  /**
   * A node of the YAML tree.
   *
   * @param place place of the field name, or of the node itself when it has none
   */
  private record YamlValue(String file, Node place, Node node) implements TextValue {
    @Override
    public Kind kind() {
      if (node.getTag().equals(Tag.NULL)) {
        return Kind.NULL;
      }
      return switch (node) {
        case MappingNode _ -> Kind.OBJECT;
        case SequenceNode _ -> Kind.LIST;
        default -> Kind.SCALAR;
      };
    }

    @Override
    public String text() {
      return ((ScalarNode) node).getValue();
    }

    @Override
    public void fields(Fields each) throws IOException {
      for (NodeTuple entry : ((MappingNode) node).getValue()) {
        String name = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
        each.field(name, new YamlValue(file, entry.getKeyNode(), entry.getValueNode()));
      }
    }

    @Override
    public void items(Items each) throws IOException {
      for (Node item : ((SequenceNode) node).getValue()) {
        each.item(new YamlValue(file, item, item));
      }
    }

    @Override
    public RuntimeException refused(String path, String rule) {
      return YamlMessage.refused(file, place, path, rule);
    }
  }
}
