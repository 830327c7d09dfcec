/** Messages in from the input topic, fired messages out. */
@NullMarked
package io.kairos.kafka;

import org.jspecify.annotations.NullMarked;
