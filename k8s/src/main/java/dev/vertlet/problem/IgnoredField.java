package dev.vertlet.problem;

/**
 * A field that a payload sets and its node ignores.
 *
 * @param pointer JSON pointer into the payload
 * @param reason why it is ignored, for people
 */
public record IgnoredField(String pointer, String reason) {}
