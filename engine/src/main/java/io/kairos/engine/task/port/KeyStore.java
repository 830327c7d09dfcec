package io.kairos.engine.task.port;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskHandler;
import java.util.List;
import java.util.Optional;

/** Ordering keys as operators see them, and their upkeep. */
public interface KeyStore {
  /**
   * Keys whose head has failed for good and blocks them, then those whose head fails; both in the
   * order of their numbers.
   */
  List<StuckKey> stuckKeys(KeyQuery query);

  /**
   * Lets the key go on without its failing head: one that waits for another attempt ends as dead,
   * whatever the handler's policy says of dead heads.
   */
  HeadResult skipHead(TaskHandler handler, OrderingKey key);

  /**
   * Has the failing head of a key tried again at once. One that has failed for good is put back
   * with its attempts counted from zero.
   */
  HeadResult retryHead(TaskHandler handler, OrderingKey key);

  /**
   * Forgets keys that no task refers to and that are not blocked, of the {@code limit} keys that
   * follow this one; wakes of the others what waits although it could begin, which only an
   * operator's hand in the database can leave.
   *
   * @param after empty for the first
   */
  SweptKeys sweepKeys(Optional<KeyId> after, int limit);
}
