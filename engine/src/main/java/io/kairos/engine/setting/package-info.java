/**
 * Settings, each declared once: {@link io.kairos.engine.setting.Setting} on the component of the
 * configuration record that holds the value. {@link io.kairos.engine.setting.ConfigRecord} reads
 * the declarations; the server binds them to files, environment and flags, and documents them.
 */
@NullMarked
package io.kairos.engine.setting;

import org.jspecify.annotations.NullMarked;
