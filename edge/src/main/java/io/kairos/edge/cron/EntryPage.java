package io.kairos.edge.cron;

import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.domain.cron.ComponentId;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.task.RequestFields;
import io.kairos.engine.cron.entry.TableSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A page of the list of entries, which is ordered by component and position.
 *
 * @param only the component whose entries are listed; null for all
 * @param from the first component of the page
 * @param after the page begins behind this position of {@code from}
 * @param size most entries on the page
 */
record EntryPage(@Nullable ComponentId only, ComponentId from, int after, int size) {
  private static final int BEFORE_ALL = -1;

  /** A page token: component and position of the last entry of the page before. */
  private static final Pattern TOKEN = Pattern.compile("(\\d{1,10})-(\\d{1,6})");

  /** Reads the page that a request asks for. Throws {@link InvalidField}. */
  static EntryPage of(ListCronEntriesRequest request) {
    ComponentId only =
        request.hasComponent()
            ? EntryRequests.component("component", request.getComponent())
            : null;
    int size = RequestFields.pageSize(request.getPageSize());
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
   * The entries of the page, and one more when another page follows; empty if the requested
   * component has no table. Called on the log's thread.
   */
  Optional<List<EntryView>> read(ReplicaView replica) {
    if (only != null && !replica.hasTable(only)) {
      return Optional.empty();
    }
    List<EntryView> seen = new ArrayList<>();
    for (TableSettings table : replica.book().tables()) {
      ComponentId component = table.component();
      int wanted = size + 1 - seen.size();
      if (wanted > 0 && isListed(component)) {
        int behind = component.equals(from) ? after : BEFORE_ALL;
        seen.addAll(EntryView.behind(replica, component, behind, wanted));
      }
    }
    return Optional.of(seen);
  }

  private boolean isListed(ComponentId component) {
    return only == null ? component.compareTo(from) >= 0 : component.equals(only);
  }

  /** Writes the page; it ends early at the size that clients accept. */
  ListCronEntriesResponse words(List<EntryView> seen) {
    ListCronEntriesResponse.Builder answer = ListCronEntriesResponse.newBuilder();
    int bytes = 0;
    for (EntryView entry : seen) {
      int count = answer.getEntriesCount();
      if (count == size || bytes > RequestFields.MOST_BYTES) {
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
