/** Specimens: classes that must break a rule. */
@NullMarked
package io.kairos.server.architecture.specimen.hashgraph;

import org.jspecify.annotations.NullMarked;
