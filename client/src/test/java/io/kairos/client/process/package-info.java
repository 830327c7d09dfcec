@NullMarked
package io.kairos.client.process;

import org.jspecify.annotations.NullMarked;
