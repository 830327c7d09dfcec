@NullMarked
package io.kairos.api.push;

import org.jspecify.annotations.NullMarked;
