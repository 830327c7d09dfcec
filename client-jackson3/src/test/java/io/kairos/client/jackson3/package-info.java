@NullMarked
package io.kairos.client.jackson3;

import org.jspecify.annotations.NullMarked;
