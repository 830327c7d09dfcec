package io.kairos.cli.imports;

import io.kairos.client.ScheduleSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a crontab of a user, or of the system (where each command is preceded by a user), as
 * crontab(5) of Vixie cron and cronie describes it: comments, environment settings, {@code
 * CRON_TZ}, {@code RANDOM_DELAY}, macros, {@code %}. The command becomes the payload, a script for
 * {@code sh}.
 */
public final class CrontabFile {
  private static final Pattern SETTING = Pattern.compile("\\s*([A-Za-z_]\\w*)\\s*=\\s*(.*?)\\s*");
  private static final Pattern WORD = Pattern.compile("\\s*(\\S+)");
  private static final int FIELDS = 5;
  private static final String INPUT_END = "KAIROS_INPUT";

  private final String file;
  private final boolean ofSystem;
  private final ImportSource reading;
  private final Map<String, String> environment = new TreeMap<>();

  /** Null below a CRON_TZ that is no zone. */
  private @Nullable ZoneId zone;

  private int randomDelayMinutes;

  private CrontabFile(String file, boolean ofSystem, ZoneId zone, ImportSource reading) {
    this.file = file;
    this.ofSystem = ofSystem;
    this.zone = zone;
    this.reading = reading;
  }

  /**
   * Reads a whole file.
   *
   * @param file name of the file, for messages
   * @param ofSystem true when each command is preceded by a user, as in {@code /etc/crontab}
   * @param zone time zone of the machine where cron runs
   */
  public static void read(
      String file, String text, boolean ofSystem, ZoneId zone, ImportSource into) {
    CrontabFile crontab = new CrontabFile(file, ofSystem, zone, into);
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String stripped = line.strip();
      if (!stripped.isEmpty() && !stripped.startsWith("#")) {
        crontab.line(number, stripped);
      }
    }
  }

  private void line(int number, String line) {
    Matcher setting = SETTING.matcher(line);
    if (setting.matches()) {
      set(
          number,
          line,
          String.valueOf(setting.group(1)),
          unquoted(String.valueOf(setting.group(2))));
      return;
    }
    // In SUSE's cron a leading dash means not to log.
    String entry = line.startsWith("-") ? line.substring(1) : line;
    List<String> words = new ArrayList<>();
    int wanted = (entry.startsWith("@") ? 1 : FIELDS) + (ofSystem ? 1 : 0);
    Matcher word = WORD.matcher(entry);
    int end = 0;
    while (words.size() < wanted && word.find(end)) {
      words.add(String.valueOf(word.group(1)));
      end = word.end();
    }
    String command = entry.substring(end).strip();
    String place = file + ":" + number;
    if (words.size() < wanted || command.isEmpty()) {
      reading.pass(place, line, "has no command behind " + wanted + " fields");
      return;
    }
    String rule = String.join(" ", words.subList(0, ofSystem ? wanted - 1 : wanted));
    entry(number, place, rule, ofSystem ? words.getLast() : "", command);
  }

  private void set(int number, String line, String name, String value) {
    switch (name) {
      case "CRON_TZ" -> {
        try {
          zone = ZoneId.of(value);
        } catch (DateTimeException e) {
          zone = null;
          reading.pass(
              file + ":" + number, line, "is no known zone: the lines below are not imported");
        }
      }
      case "RANDOM_DELAY" ->
          randomDelayMinutes = value.matches("\\d{1,4}") ? Integer.parseInt(value) : 0;
      default -> environment.put(name, value);
    }
  }

  private static String unquoted(String value) {
    boolean quoted =
        value.length() >= 2
            && ((value.startsWith("\"") && value.endsWith("\""))
                || (value.startsWith("'") && value.endsWith("'")));
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  private void entry(int number, String place, String rule, String user, String command) {
    String lower = rule.toLowerCase(Locale.ROOT);
    if (lower.equals("@reboot")) {
      reading.pass(
          place,
          rule + " " + command,
          "runs when the machine starts, which is no time: no rule says it");
      return;
    }
    ZoneId lineZone = zone;
    if (lineZone == null) {
      reading.pass(place, rule + " " + command, "is below a CRON_TZ that is no known zone");
      return;
    }
    if (lower.matches("@\\d+")) {
      rule = "@every " + lower.substring(1) + "s";
    }
    Map<String, String> values = new LinkedHashMap<>();
    values.put("command", basename(command));
    values.put("line", Integer.toString(number));
    values.put("user", user.isEmpty() ? "user" : user);
    List<String> remarks = new ArrayList<>();
    if (!user.isEmpty()) {
      remarks.add("ran as " + user + "; it will run as whoever starts the worker");
    }
    if (environment.containsKey("MAILTO")) {
      remarks.add("its output was mailed to " + environment.get("MAILTO") + "; nobody mails it");
    }
    ScheduleSpec.Builder spec =
        reading
            .spec(values)
            .cron(rule)
            .zone(lineZone)
            .overlap(ScheduleSpec.Overlap.ALLOW_ALL)
            .catchUp(ScheduleSpec.CatchUp.NONE)
            .payload(script(command));
    remarks.add("overlap allow_all and catch-up none, as cron does");
    if (randomDelayMinutes > 0) {
      spec.spread(Duration.ofMinutes(randomDelayMinutes));
      remarks.add(
          "RANDOM_DELAY has become a spread: the same delay each time for the same fire time");
    }
    try {
      Optional<VixieRule> cron = VixieRule.parse(rule);
      List<Instant> fires =
          cron.map(one -> one.next(reading.now(), lineZone, reading.count())).orElse(List.of());
      ForeignSchedule.Known known =
          cron.isPresent() ? ForeignSchedule.Known.NEXT : ForeignSchedule.Known.NOTHING;
      reading.add(
          new ForeignSchedule(
              place, rule + " " + lineZone, spec.build(), fires, known, false, remarks));
    } catch (IllegalArgumentException e) {
      reading.pass(place, rule + " " + command, String.valueOf(e.getMessage()));
    }
  }

  private static String basename(String command) {
    String first = command.split("[\\s%;|&<>]", 2)[0];
    return first.substring(first.lastIndexOf('/') + 1);
  }

  /**
   * An unescaped % ends the command; the rest is its input, in which further ones are line ends.
   */
  private String script(String command) {
    StringBuilder script = new StringBuilder();
    environment.forEach((name, value) -> {
      if (!name.equals("MAILTO") && !name.equals("SHELL") && !name.equals("MAILFROM")) {
        script
            .append("export ")
            .append(name)
            .append("='")
            .append(value.replace("'", "'\\''"))
            .append("'\n");
      }
    });
    String named = environment.getOrDefault("SHELL", "");
    String shell = named.isEmpty() ? "/bin/sh" : named;
    String[] parts = command.split("(?<!\\\\)%", -1);
    String run = parts[0].replace("\\%", "%").strip();
    boolean hasInput = parts.length > 1;
    if (hasInput || !shell.endsWith("/sh")) {
      // The input is that of the whole command: of all its parts, and with a comment at its end.
      run = shell + " -c '" + run.replace("'", "'\\''") + "'";
    }
    script.append(run);
    if (hasInput) {
      List<String> input = Stream.of(parts).skip(1).map(line -> line.replace("\\%", "%")).toList();
      String end = INPUT_END;
      while (input.contains(end)) {
        end += "_";
      }
      script.append(" <<'").append(end).append("'\n");
      input.forEach(line -> script.append(line).append('\n'));
      script.append(end);
    }
    return script.append('\n').toString();
  }
}
