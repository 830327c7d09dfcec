/** Specimens: classes that must break a rule. */
@NullMarked
package io.kairos.server.architecture.specimen.node;

import org.jspecify.annotations.NullMarked;
