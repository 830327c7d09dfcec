/**
 * The oracle of time rules: steps through minutes and days and checks the text of an expression
 * literally. Slow and simple by intent; shares no code with {@code domain.schedule}.
 */
@NullMarked
package io.kairos.model.calendar;

import org.jspecify.annotations.NullMarked;
