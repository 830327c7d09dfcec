@NullMarked
package io.kairos.api.text;

import org.jspecify.annotations.NullMarked;
