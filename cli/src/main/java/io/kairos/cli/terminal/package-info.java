/** The user's terminal, and what is shown there again and again. */
@NullMarked
package io.kairos.cli.terminal;

import org.jspecify.annotations.NullMarked;
