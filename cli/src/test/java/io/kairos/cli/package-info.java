@NullMarked
package io.kairos.cli;

import org.jspecify.annotations.NullMarked;
