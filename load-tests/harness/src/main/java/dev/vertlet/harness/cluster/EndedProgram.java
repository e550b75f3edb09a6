package dev.vertlet.harness.cluster;

import java.nio.file.Path;

/**
 * A program of a control plane that has ended though nobody here has ended it.
 *
 * @param name for example {@code kube-apiserver}
 * @param exitCode 128 and the signal's number where it was killed
 * @param log what it wrote; goes with the control plane where that has a temporary directory
 */
public record EndedProgram(String name, int exitCode, Path log) {}
