/** Durations and messages of the wire as people and programs write them. */
@NullMarked
package io.kairos.api.text;

import org.jspecify.annotations.NullMarked;
