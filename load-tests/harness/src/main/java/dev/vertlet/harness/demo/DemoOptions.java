package dev.vertlet.harness.demo;

import java.time.Duration;

/**
 * Options of a demo.
 *
 * @param port port of the API server, 0 for a free one
 * @param timeout time limit of every step except serving
 */
public record DemoOptions(DemoProvider provider, int nodes, int pods, int port, Duration timeout) {}
