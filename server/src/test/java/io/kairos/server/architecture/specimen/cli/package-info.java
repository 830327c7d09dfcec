/** Specimens: classes that must break a rule. */
@NullMarked
package io.kairos.server.architecture.specimen.cli;

import org.jspecify.annotations.NullMarked;
