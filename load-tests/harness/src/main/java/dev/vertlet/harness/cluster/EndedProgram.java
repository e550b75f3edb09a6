package dev.vertlet.harness.cluster;

import java.nio.file.Path;

/**
 * Program of a control plane that ended although this process did not end it.
 *
 * @param name for example {@code kube-apiserver}
 * @param exitCode 128 plus the signal's number after a kill
 * @param log its output; deleted with the control plane's temporary directory
 */
public record EndedProgram(String name, int exitCode, Path log) {}
