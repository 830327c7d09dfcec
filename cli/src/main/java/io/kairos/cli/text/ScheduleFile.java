package io.kairos.cli.text;

import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.Schedule;
import io.kairos.client.ScheduleSpec;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A YAML file of schedules and business calendars: a list of schedules, one schedule, or {@code
 * calendars:} and {@code schedules:} with a list each; any number of documents. Names of the fields
 * are those of the API in JSON. The file may also be JSON, because JSON is YAML.
 *
 * @param calendars business calendars, to be stored before the schedules that use them
 */
public record ScheduleFile(List<Calendar> calendars, List<Entry> schedules) {
  /**
   * A schedule and its place in the file.
   *
   * @param place file and line
   */
  public record Entry(String place, ScheduleSpec spec) {}

  public ScheduleFile {
    calendars = List.copyOf(calendars);
    schedules = List.copyOf(schedules);
  }

  /**
   * Reads a whole file.
   *
   * @param file name of the file, for messages
   * @throws IllegalArgumentException when the file is invalid; the message names the line and the
   *     error
   */
  public static ScheduleFile read(String file, String text) {
    Reading reading = new Reading(file);
    Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    try (Reader reader = new StringReader(text)) {
      for (Node document : yaml.composeAll(reader)) {
        reading.document(document);
      }
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      throw new IllegalArgumentException(
          "%s:%d: is not YAML: %s".formatted(file, line, e.getProblem()), e);
    } catch (YAMLException e) { // of characters that YAML does not have, or of its bounds
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new IllegalArgumentException("%s: is not YAML: %s".formatted(file, why), e);
    } catch (IOException e) {
      throw new IllegalStateException("a text is in memory", e);
    }
    return new ScheduleFile(reading.calendars, reading.schedules);
  }

  private static final class Reading {
    private final String file;
    private final YamlMessage messages;
    private final List<Calendar> calendars = new ArrayList<>();
    private final List<Entry> schedules = new ArrayList<>();

    private Reading(String file) {
      this.file = file;
      this.messages = new YamlMessage(file);
    }

    private void document(Node node) {
      if (node instanceof SequenceNode list) {
        schedules(list);
      } else if (node instanceof MappingNode mapping && hasLists(mapping)) {
        mapping.getValue().forEach(this::part);
      } else {
        schedule(node, "");
      }
    }

    /** A schedule may have the field calendars too, but also has a name. */
    private static boolean hasLists(MappingNode mapping) {
      List<String> keys = mapping.getValue().stream().map(Reading::key).toList();
      return keys.contains("schedules") || (keys.contains("calendars") && !keys.contains("name"));
    }

    private static String key(NodeTuple entry) {
      return entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    private void part(NodeTuple entry) {
      String key = key(entry);
      if (!(entry.getValueNode() instanceof SequenceNode list)) {
        throw YamlMessage.refused(file, entry.getValueNode(), key, "must be a list");
      }
      switch (key) {
        case "schedules" -> schedules(list);
        case "calendars" -> {
          for (int i = 0; i < list.getValue().size(); i++) {
            Calendar.Builder calendar = Calendar.newBuilder();
            messages.read(list.getValue().get(i), calendar, "calendars[" + i + "]");
            calendars.add(calendar.build());
          }
        }
        default ->
            throw YamlMessage.refused(
                file, entry.getKeyNode(), key, "must be schedules or calendars");
      }
    }

    private void schedules(SequenceNode list) {
      for (int i = 0; i < list.getValue().size(); i++) {
        schedule(list.getValue().get(i), "schedules[" + i + "]");
      }
    }

    private void schedule(Node node, String path) {
      Schedule.Builder schedule = Schedule.newBuilder();
      messages.read(node, schedule, path);
      String place = file + ":" + (node.getStartMark().getLine() + 1);
      schedules.add(new Entry(place, ScheduleSpec.ofMessage(schedule.build().toByteArray())));
    }
  }
}
