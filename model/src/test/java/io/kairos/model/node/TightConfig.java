package io.kairos.model.node;

import io.kairos.engine.delay.setup.DelayConfig;

/** The defaults with little room: one message in flight for each partition, few in memory. */
final class TightConfig {
  private TightConfig() {}

  /**
   * @param maxMessages most messages held in memory
   * @param batch most messages of one claim
   */
  static DelayConfig of(int maxMessages, int batch) {
    DelayConfig defaults = DelayConfig.defaults();
    DelayConfig.Firing firing = defaults.firing();
    DelayConfig.Claiming claiming = defaults.claiming();
    return new DelayConfig(
        new DelayConfig.Firing(
            firing.advance(),
            firing.publishTimeout(),
            1,
            firing.settleLinger(),
            firing.settleBatch()),
        new DelayConfig.Claiming(
            claiming.pollInterval(),
            claiming.pollJitter(),
            claiming.horizon(),
            maxMessages,
            claiming.maxBytes(),
            batch),
        defaults.intake(),
        defaults.liveness(),
        defaults.detection());
  }
}
