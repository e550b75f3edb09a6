package dev.vertlet.config;

/**
 * The page for people that is served beside health and metrics.
 *
 * @param enabled whether it is served; what it shows is counted only then
 */
public record PageConfig(boolean enabled) {}
