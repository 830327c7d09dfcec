/**
 * The delay queue: what a delayed message is, what a record on the input topic asks for, and how
 * messages are amended.
 */
@NullMarked
package io.kairos.domain.delay;

import org.jspecify.annotations.NullMarked;
