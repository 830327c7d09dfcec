/**
 * What a fault happens in: a rig with a load of messages or tasks, and the verdict on how it ended.
 */
@NullMarked
package io.kairos.bench.fault.scene;

import org.jspecify.annotations.NullMarked;
