/** The command line of operators and workers, built on the public client. */
@NullMarked
package io.kairos.cli;

import org.jspecify.annotations.NullMarked;
