package dev.vertlet.provider.stream;

/**
 * Size of a client's terminal.
 *
 * @param width columns, 0 to 65535
 * @param height rows, 0 to 65535
 */
public record TerminalSize(int width, int height) {}
