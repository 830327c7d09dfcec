/** Payloads and results as JSON, by Jackson 2: {@link io.kairos.client.jackson2.JacksonCodec}. */
@NullMarked
package io.kairos.client.jackson2;

import org.jspecify.annotations.NullMarked;
