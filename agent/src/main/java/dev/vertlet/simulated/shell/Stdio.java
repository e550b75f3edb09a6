package dev.vertlet.simulated.shell;

/**
 * The streams of one program.
 *
 * @param terminal whether they are a terminal's
 */
record Stdio(Input in, Output out, Output err, boolean terminal) {}
