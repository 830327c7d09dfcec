/** Pages for man. */
@NullMarked
package io.kairos.cli.manual;

import org.jspecify.annotations.NullMarked;
