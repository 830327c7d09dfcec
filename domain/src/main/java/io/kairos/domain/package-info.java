/**
 * What Kairos keeps and how it changes: pure functions and values, no input or output, no clock.
 */
@NullMarked
package io.kairos.domain;

import org.jspecify.annotations.NullMarked;
