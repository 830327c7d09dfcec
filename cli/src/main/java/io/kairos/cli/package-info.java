/** The operator's and the worker's command line, on the public client alone. */
@NullMarked
package io.kairos.cli;

import org.jspecify.annotations.NullMarked;
