package dev.vertlet.configsync;

/**
 * What a payload sets and its node does not run by.
 *
 * @param pointer JSON pointer into the payload
 * @param reason why not, for people
 */
public record IgnoredField(String pointer, String reason) {}
