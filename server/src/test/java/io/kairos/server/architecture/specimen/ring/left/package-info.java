/** Specimens: classes that must break a rule. */
@NullMarked
package io.kairos.server.architecture.specimen.ring.left;

import org.jspecify.annotations.NullMarked;
