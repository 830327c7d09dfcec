package io.kairos.server.edge.cron;

import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.entry.TableSettings;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.task.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A part of the list of entries, by component and position.
 *
 * @param only the component whose entries are listed; null for all
 * @param from the first component of the page
 * @param after the position there behind which it begins
 */
record EntryPage(@Nullable ComponentId only, ComponentId from, int after, int size) {
  private static final int BEFORE_ALL = -1;

  /** The last entry of the page before. */
  private static final Pattern TOKEN = Pattern.compile("(\\d{1,10})-(\\d{1,6})");

  /** Throws {@link InvalidField}. */
  static EntryPage of(ListCronEntriesRequest request) {
    ComponentId only =
        request.hasComponent()
            ? EntryRequests.component("component", request.getComponent())
            : null;
    int size = Fields.pageSize(request.getPageSize());
    if (request.getPageToken().isEmpty()) {
      return new EntryPage(only, only == null ? new ComponentId(0) : only, BEFORE_ALL, size);
    }
    Matcher token = TOKEN.matcher(request.getPageToken());
    if (token.matches()) {
      ComponentId from =
          EntryRequests.component("page_token", Long.parseLong(String.valueOf(token.group(1))));
      if (only == null || only.equals(from)) {
        return new EntryPage(only, from, Integer.parseInt(String.valueOf(token.group(2))), size);
      }
    }
    throw new InvalidField("page_token", "must come from the answer to the same question");
  }

  /**
   * The entries of the page, and one more if there is one; empty if there is no table of the
   * component that was asked for. On the log's thread.
   */
  Optional<List<SeenEntry>> read(ReplicaSight replica) {
    if (only != null && !replica.hasTable(only)) {
      return Optional.empty();
    }
    List<SeenEntry> seen = new ArrayList<>();
    for (TableSettings table : replica.book().tables()) {
      ComponentId component = table.component();
      int wanted = size + 1 - seen.size();
      if (wanted > 0 && isListed(component)) {
        int behind = component.equals(from) ? after : BEFORE_ALL;
        seen.addAll(SeenEntry.behind(replica, component, behind, wanted));
      }
    }
    return Optional.of(seen);
  }

  private boolean isListed(ComponentId component) {
    return only == null ? component.compareTo(from) >= 0 : component.equals(only);
  }

  /** Not larger than clients take: the rest is on the next page. */
  ListCronEntriesResponse words(List<SeenEntry> seen) {
    ListCronEntriesResponse.Builder answer = ListCronEntriesResponse.newBuilder();
    int bytes = 0;
    for (SeenEntry entry : seen) {
      int count = answer.getEntriesCount();
      if (count == size || bytes > Fields.MOST_BYTES) {
        CronEntry last = answer.getEntries(count - 1);
        return answer.setNextPageToken(last.getComponent() + "-" + last.getPosition()).build();
      }
      CronEntry one = EntryAnswers.entry(entry);
      bytes += one.getSerializedSize();
      answer.addEntries(one);
    }
    return answer.build();
  }
}
