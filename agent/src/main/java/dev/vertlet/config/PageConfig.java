package dev.vertlet.config;

/**
 * Section {@code server.page}: the status page beside health and metrics.
 *
 * @param enabled whether the page is served; its figures are collected only then
 */
public record PageConfig(boolean enabled) {}
