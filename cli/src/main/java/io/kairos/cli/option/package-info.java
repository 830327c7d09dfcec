/** Options that commands share. */
@NullMarked
package io.kairos.cli.option;

import org.jspecify.annotations.NullMarked;
