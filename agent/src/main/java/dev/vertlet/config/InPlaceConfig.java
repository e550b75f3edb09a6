package dev.vertlet.config;

/**
 * How containers of running pods are replaced.
 *
 * @param prePull whether the new image is pulled before the old container ends
 */
public record InPlaceConfig(boolean prePull) {}
