package io.kairos.server.tidy;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is checked, with the remedy in every message. */
final class TidyRules {
  private static final Pattern MIGRATION = Pattern.compile("[VR]\\d*\\w*__\\w+\\.sql");

  /** The beginnings of statements that no sentence for people has. */
  private static final Pattern SQL =
      Pattern.compile(
          "(?is)\\bselect\\s.+\\sfrom\\s+[a-z_]"
              + "|^\\s*select\\s+(\\d|\\*|[a-z_.]+\\s*\\()"
              + "|\\binsert\\s+into\\s+[a-z_]"
              + "|\\bupdate\\s+[a-z_.]+(\\s+[a-z]+)?\\s+set\\s"
              + "|\\bdelete\\s+from\\s+[a-z_]"
              + "|^\\s*with\\s+\\w+(\\s*\\([^)]*\\))?\\s+as\\s+(materialized\\s+)?\\("
              + "|^\\s*(create|alter|drop|truncate)\\s+(unlogged\\s+|unique\\s+|temporary\\s+|or\\s+replace\\s+)*"
              + "(table|index|view|schema|sequence|function|type|extension)\\b");

  /** With a number, as in {@code (#12)} behind the word, it is somebody's. */
  private static final Pattern UNOWNED =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b(?!\\(#\\d+\\))");

  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^\\s*```.*?^\\s*```|`[^`\\n]*`");
  private static final Pattern LINK =
      Pattern.compile("\\]\\(<?([^)>\\s]+)>?(?:\\s+\"[^\"]*\")?\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:.*|#.*");

  private TidyRules() {}

  static List<TidyRule> all() {
    return List.of(
        new TidyRule(
            "every SQL file is named by a repository class",
            TidyRules::orphanSql,
            "postgres/src/main/resources/io/kairos/postgres/orphan.sql"),
        new TidyRule(
            "there is no SQL in Java strings",
            TidyRules::sqlInJava,
            "postgres/src/main/java/io/kairos/postgres/SqlInAString.java"),
        new TidyRule(
            "what is left to do has an issue",
            TidyRules::unowned,
            "engine/src/main/java/io/kairos/engine/LeftForLater.java"),
        new TidyRule("no link in the docs is dead", TidyRules::deadLinks, "docs/dead-link.md"),
        new TidyRule(
            "every package has a null-marked package-info.java",
            TidyRules::unmarkedPackages,
            "bench/src/main/java/io/kairos/bench/Unmarked.java"));
  }

  private static List<String> orphanSql(Repository files) {
    String java =
        String.join(
            "\n", files.javaOf("postgres/src/main/java/").stream().map(files::text).toList());
    Predicate<String> isNamed =
        sql -> {
          String file = sql.substring(sql.lastIndexOf('/') + 1);
          String stem = Pattern.quote(file.substring(0, file.length() - ".sql".length()));
          return MIGRATION.matcher(file).matches()
              || Pattern.compile("[\"/]" + stem + "(\\.sql)?\"").matcher(java).find();
        };
    return files
        .files(name -> name.contains("postgres/src/main/resources/") && name.endsWith(".sql"))
        .stream()
        .filter(isNamed.negate())
        .map(sql -> sql + ": no class of postgres names this statement. Use it or delete it.")
        .toList();
  }

  /**
   * Not in {@code embedded}, which creates databases (that statement takes no parameters and has no
   * table), and not in {@code examples}, which are to be copied as one file. Nor in {@code bench},
   * whose probes look at the store from outside, each beside the figure it prints.
   */
  private static List<String> sqlInJava(Repository files) {
    List<String> findings = new ArrayList<>();
    for (String file : files.javaOf("/src/main/java/")) {
      if (file.startsWith("embedded/")
          || file.startsWith("examples/")
          || file.startsWith("bench/")) {
        continue;
      }
      for (String literal : JavaStrings.in(files.text(file))) {
        if (SQL.matcher(literal).find()) {
          findings.add(
              file
                  + ": SQL in a string: \""
                  + literal.strip().lines().findFirst().orElse("")
                  + "\". Put it into a .sql file of its own, with the header comment, and load it by name.");
        }
      }
    }
    return findings;
  }

  private static List<String> unowned(Repository files) {
    return files
        .files(name ->
            name.matches(".*\\.(java|sql|xml|ya?ml|sh|properties)|kairos|.*/kairos-\\w+|\\.ci/run"))
        .stream()
        .flatMap(file ->
            UNOWNED
                .matcher(files.text(file))
                .results()
                .map(hit ->
                    file
                        + ": "
                        + hit.group()
                        + " without an issue. Do it, or open an issue and write "
                        + hit.group()
                        + "(#12)."))
        .toList();
  }

  private static List<String> deadLinks(Repository files) {
    List<String> findings = new ArrayList<>();
    for (String file : files.files(name -> name.endsWith(".md"))) {
      Matcher link = LINK.matcher(CODE_BLOCK.matcher(files.text(file)).replaceAll(""));
      while (link.find()) {
        String target = requireNonNull(link.group(1));
        if (!ELSEWHERE.matcher(target).matches()
            && !files.hasBeside(file, target.replaceFirst("#.*", ""))) {
          findings.add(
              file + ": the link to " + target + " leads nowhere. Correct its path or remove it.");
        }
      }
    }
    return findings;
  }

  private static List<String> unmarkedPackages(Repository files) {
    return files.javaOf("/src/main/java/").stream()
        .filter(file -> {
          String info = file.substring(0, file.lastIndexOf('/')) + "/package-info.java";
          return files.files(info::equals).isEmpty()
              || !Pattern.compile("(?m)^@NullMarked$").matcher(files.text(info)).find();
        })
        .map(file ->
            file
                + ": its package is not null-marked, so NullAway checks nothing in it. Add a package-info.java"
                + " with @NullMarked.")
        .toList();
  }
}
