/** A node that is polled: what time makes due is looked for when somebody outside asks. */
@NullMarked
package io.kairos.engine.poll;

import org.jspecify.annotations.NullMarked;
