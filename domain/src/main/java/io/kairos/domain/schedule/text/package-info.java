/** Words in and out: what is wrong with a text, and how a rule is said in English. */
@NullMarked
package io.kairos.domain.schedule.text;

import org.jspecify.annotations.NullMarked;
