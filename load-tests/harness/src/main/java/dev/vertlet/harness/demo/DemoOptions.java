package dev.vertlet.harness.demo;

import java.time.Duration;

/**
 * What a demo shows.
 *
 * @param port of the API server, 0 for a free one
 * @param timeout for everything but serving
 */
public record DemoOptions(int nodes, int pods, int port, Duration timeout) {}
