package dev.vertlet.config;

/**
 * How containers are replaced in pods that run.
 *
 * @param prePull whether an image that replaces another one is pulled before the container with
 *     that ends
 */
public record InPlaceConfig(boolean prePull) {}
