/** Logs of containers in the format of CRI: several files, read and followed as one. */
@NullMarked
package dev.vertlet.host.logs;

import org.jspecify.annotations.NullMarked;
