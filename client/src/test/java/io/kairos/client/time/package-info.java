@NullMarked
package io.kairos.client.time;

import org.jspecify.annotations.NullMarked;
