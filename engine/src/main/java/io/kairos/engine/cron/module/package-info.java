/**
 * Modules: users' own actions and requests in a replicated cron, found by {@link
 * java.util.ServiceLoader}, with their state in reserved pages.
 */
@NullMarked
package io.kairos.engine.cron.module;

import org.jspecify.annotations.NullMarked;
