package io.kairos.cli.option;

import io.kairos.cli.text.AnswerText;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskPage;
import io.kairos.client.TaskQuery;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Selects tasks to list, and their number. */
public final class ListOptions {
  private static final int MOST_PER_CALL = 1_000;

  @Option(names = "--handler", description = "Only tasks of this handler.", defaultValue = "")
  String handler = "";

  @Option(names = "--collection", description = "Only tasks of this collection.", defaultValue = "")
  String collection = "";

  @Option(names = "--limit", defaultValue = "20", description = AnswerText.LIMIT)
  int limit;

  /** Lists tasks of a query, newest first, page by page until the limit. */
  public List<Task> list(KairosClient client, TaskQuery which) {
    TaskQuery query = which.handler(handler).collection(collection);
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
