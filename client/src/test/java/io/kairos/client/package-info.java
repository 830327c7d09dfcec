@NullMarked
package io.kairos.client;

import org.jspecify.annotations.NullMarked;
