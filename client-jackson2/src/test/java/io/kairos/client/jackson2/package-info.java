@NullMarked
package io.kairos.client.jackson2;

import org.jspecify.annotations.NullMarked;
