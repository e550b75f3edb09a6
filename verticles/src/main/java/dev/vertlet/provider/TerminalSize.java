package dev.vertlet.provider;

/**
 * How large a client's terminal is.
 *
 * @param width columns, 0 to 65535
 * @param height rows, 0 to 65535
 */
public record TerminalSize(int width, int height) {}
