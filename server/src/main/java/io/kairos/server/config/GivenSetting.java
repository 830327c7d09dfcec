package io.kairos.server.config;

/** The text that a source gives for a key, not parsed yet. */
public record GivenSetting(String key, String text, SettingOrigin origin) {}
