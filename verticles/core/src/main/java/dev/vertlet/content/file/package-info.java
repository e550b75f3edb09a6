/**
 * Files of pods on the node: directories with versions that are exchanged at once, modes, host
 * paths, mounts, {@code /etc/hosts}, termination messages and disk usage. Everything here blocks,
 * so it runs on workers.
 */
@NullMarked
package dev.vertlet.content.file;

import org.jspecify.annotations.NullMarked;
