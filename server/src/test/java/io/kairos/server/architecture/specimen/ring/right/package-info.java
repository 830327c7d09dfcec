/** Specimens: classes that must break a rule. */
@NullMarked
package io.kairos.server.architecture.specimen.ring.right;

import org.jspecify.annotations.NullMarked;
