/** Payloads and results as JSON, by Jackson 3: {@link io.kairos.client.jackson3.JacksonCodec}. */
@NullMarked
package io.kairos.client.jackson3;

import org.jspecify.annotations.NullMarked;
