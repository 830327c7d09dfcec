/** The command line of the program. */
@NullMarked
package io.kairos.server.wiring.command;

import org.jspecify.annotations.NullMarked;
