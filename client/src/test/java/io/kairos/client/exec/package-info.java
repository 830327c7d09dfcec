@NullMarked
package io.kairos.client.exec;

import org.jspecify.annotations.NullMarked;
