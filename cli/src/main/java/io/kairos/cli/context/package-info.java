/** Contexts: named addresses, token files and output formats, kept in a file of the user. */
@NullMarked
package io.kairos.cli.context;

import org.jspecify.annotations.NullMarked;
