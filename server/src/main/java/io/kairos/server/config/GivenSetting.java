package io.kairos.server.config;

/**
 * A key with its text and where that comes from: as a source gives it, not parsed yet, or as the
 * process uses it, with secrets masked.
 */
public record GivenSetting(String key, String text, SettingOrigin origin) {}
