@NullMarked
package io.kairos.cli.text;

import org.jspecify.annotations.NullMarked;
