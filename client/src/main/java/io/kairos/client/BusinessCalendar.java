package io.kairos.client;

/**
 * Days and hours that schedules share by name.
 *
 * @param rules its lines; empty in lists
 * @param generation grows with each change
 */
public record BusinessCalendar(String name, String rules, long generation) {}
