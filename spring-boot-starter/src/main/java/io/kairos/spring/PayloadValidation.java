package io.kairos.spring;

import java.lang.reflect.Parameter;

/** Checks payloads whose parameter asks for it. */
interface PayloadValidation {
  /** Where nothing can be checked, because Bean Validation is not there. */
  PayloadValidation NONE =
      new PayloadValidation() {
        @Override
        public boolean isAskedFor(Parameter parameter) {
          return false;
        }

        @Override
        public void validate(Object payload) {}
      };

  boolean isAskedFor(Parameter parameter);

  /** Throws {@link io.kairos.client.handler.FatalFailure} for a payload that breaks a rule. */
  void validate(Object payload);
}
