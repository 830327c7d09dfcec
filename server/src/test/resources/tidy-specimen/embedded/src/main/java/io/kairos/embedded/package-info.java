@NullMarked
package io.kairos.embedded;

import org.jspecify.annotations.NullMarked;
