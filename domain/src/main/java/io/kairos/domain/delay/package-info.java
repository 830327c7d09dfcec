/** The delay queue: delayed messages, records on the input topic, and amendments of messages. */
@NullMarked
package io.kairos.domain.delay;

import org.jspecify.annotations.NullMarked;
