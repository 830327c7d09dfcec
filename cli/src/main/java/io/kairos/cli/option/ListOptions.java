package io.kairos.cli.option;

import io.kairos.cli.text.AnswerText;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskPage;
import io.kairos.client.TaskQuery;
import io.kairos.client.batch.BatchId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects tasks to list, and their number. */
public final class ListOptions {
  private static final int MOST_PER_CALL = 1_000;

  @Option(names = "--handler", description = "Only tasks of this handler.", defaultValue = "")
  String handler = "";

  @Option(names = "--collection", description = "Only tasks of this collection.", defaultValue = "")
  String collection = "";

  @Option(
      names = "--id-prefix",
      description = "Only tasks whose id begins with these 8 or more hexadecimal digits.",
      defaultValue = "")
  String idPrefix = "";

  @Option(
      names = "--error-class",
      description = "Only tasks whose latest failure has this class.",
      defaultValue = "")
  String errorClass = "";

  @Option(
      names = "--fingerprint",
      description =
          "Only tasks whose latest failure has this fingerprint; kairos task failures shows it.",
      defaultValue = "")
  String fingerprint = "";

  @Option(names = "--ended-since", description = "Only tasks that ended at or after this time.")
  @Nullable Instant endedSince;

  @Option(names = "--ended-before", description = "Only tasks that ended before this time.")
  @Nullable Instant endedBefore;

  @Option(
      names = "--text",
      description =
          "Only tasks with this text in their id, keys, collection, result or latest error; needs"
              + " --ended-since, or --from and --to, for at most 31 days.",
      defaultValue = "")
  String text = "";

  @Option(
      names = "--min-attempts",
      description = "Only tasks with at least so many attempts.",
      defaultValue = "0")
  int minAttempts;

  @Option(names = "--priority", description = "Only tasks with this priority.")
  @Nullable Integer priority;

  @Option(names = "--schedule", description = "Only runs of this schedule.", defaultValue = "")
  String schedule = "";

  @Option(
      names = "--batch",
      paramLabel = "ID",
      description = "Only tasks of this batch; not with --schedule.")
  @Nullable String batch;

  @Option(names = "--limit", defaultValue = "20", description = AnswerText.LIMIT)
  int limit;

  /** Lists tasks of a query, newest first, page by page until the limit. */
  public List<Task> list(KairosClient client, TaskQuery which) {
    TaskQuery query =
        which
            .handler(handler)
            .collection(collection)
            .search(
                new TaskQuery.Search(
                    idPrefix,
                    minAttempts,
                    errorClass,
                    fingerprint,
                    endedSince,
                    endedBefore,
                    text,
                    priority,
                    schedule,
                    batch == null ? null : BatchId.of(batch)));
    List<Task> tasks = new ArrayList<>();
    TaskPage page;
    do {
      page = client.list(query.pageSize(Math.clamp(limit - tasks.size(), 1, MOST_PER_CALL)));
      tasks.addAll(page.tasks());
      query = query.after(page);
    } while (!page.isLast() && tasks.size() < limit);
    return tasks.subList(0, Math.clamp(limit, 0, tasks.size()));
  }
}
