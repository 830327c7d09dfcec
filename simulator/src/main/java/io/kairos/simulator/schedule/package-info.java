/**
 * Schedules in the simulator: people who edit and pause them, calendars and clocks that change, and
 * the rules.
 */
@NullMarked
package io.kairos.simulator.schedule;

import org.jspecify.annotations.NullMarked;
