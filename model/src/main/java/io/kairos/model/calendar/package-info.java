/**
 * The oracle of time rules: steps through minutes and days and checks the text of an expression
 * literally, as slow and as plain as possible, and shares nothing with {@code domain.schedule}.
 */
@NullMarked
package io.kairos.model.calendar;

import org.jspecify.annotations.NullMarked;
