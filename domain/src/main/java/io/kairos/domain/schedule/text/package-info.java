/** Texts of rules: refusals of expressions, and descriptions in English. */
@NullMarked
package io.kairos.domain.schedule.text;

import org.jspecify.annotations.NullMarked;
