package io.kairos.edge.caller;

import io.kairos.engine.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts wrong tokens and failed logins by address, and logs for each address and minute why the
 * first was refused: a stranger is not told. A right token from the same address is not affected,
 * because many callers may share one. Thread-safe; bounded.
 */
public final class WrongTokens {
  private static final Logger LOG = LoggerFactory.getLogger(WrongTokens.class);
  private static final int MOST_A_MINUTE = 10;

  /** A reason may have words of the token, which its sender chooses. */
  private static final int LONGEST = 200;

  private final AddressCounts counts;

  public WrongTokens(MonotonicClock monotonic) {
    this.counts = new AddressCounts(MOST_A_MINUTE, monotonic);
  }

  /**
   * Counts a wrong token; true when the address has sent too many in this minute.
   *
   * @param why what is wrong with it, for the log
   */
  public boolean isTooMany(String address, String why) {
    int before = counts.add(address);
    if (before == 0 || before == MOST_A_MINUTE) {
      LOG.atWarn()
          .addKeyValue("address", address)
          .addKeyValue("why", why.substring(0, Math.min(why.length(), LONGEST)))
          .log(
              before == 0
                  ? "a token or a login was not accepted"
                  : "many tokens or logins were not accepted; further calls of this minute with wrong tokens are refused as exhausted");
    }
    return before >= MOST_A_MINUTE;
  }
}
