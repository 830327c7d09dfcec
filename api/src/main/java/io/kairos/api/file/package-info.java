/** Files that a running process reads again. */
@NullMarked
package io.kairos.api.file;

import org.jspecify.annotations.NullMarked;
