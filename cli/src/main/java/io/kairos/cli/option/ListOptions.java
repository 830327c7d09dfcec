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
    TaskPage page = client.list(query.pageSize(Math.clamp(limit, 1, MOST_PER_CALL)));
    while (true) {
      int left = Math.max(0, limit - tasks.size());
      tasks.addAll(page.tasks().subList(0, Math.min(left, page.tasks().size())));
      left = limit - tasks.size();
      if (left <= 0 || page.isLast()) {
        return tasks;
      }
      page = client.list(query.pageSize(Math.min(left, MOST_PER_CALL)).after(page));
    }
  }
}
