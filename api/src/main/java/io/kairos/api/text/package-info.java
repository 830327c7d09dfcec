/** Text forms of durations and API messages. */
@NullMarked
package io.kairos.api.text;

import org.jspecify.annotations.NullMarked;
