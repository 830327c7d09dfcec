package io.kairos.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a {@link KairosConfigurationException} without a stack trace. */
final class KairosFailureAnalyzer extends AbstractFailureAnalyzer<KairosConfigurationException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, KairosConfigurationException cause) {
    return new FailureAnalysis(cause.wrong(), cause.action(), cause);
  }
}
