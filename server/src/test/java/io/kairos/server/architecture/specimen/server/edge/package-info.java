/** Specimens: classes that must break a rule. */
@NullMarked
package io.kairos.server.architecture.specimen.server.edge;

import org.jspecify.annotations.NullMarked;
