/** What groups of commands share: how they call nodes, print answers and ask for confirmation. */
@NullMarked
package io.kairos.cli.command;

import org.jspecify.annotations.NullMarked;
