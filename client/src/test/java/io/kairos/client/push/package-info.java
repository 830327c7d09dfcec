@NullMarked
package io.kairos.client.push;

import org.jspecify.annotations.NullMarked;
