/** Completion of commands, options and values in shells. */
@NullMarked
package io.kairos.cli.completion;

import org.jspecify.annotations.NullMarked;
