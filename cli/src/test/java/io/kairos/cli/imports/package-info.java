@NullMarked
package io.kairos.cli.imports;

import org.jspecify.annotations.NullMarked;
