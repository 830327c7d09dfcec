@NullMarked
package io.kairos.client.worker;

import org.jspecify.annotations.NullMarked;
