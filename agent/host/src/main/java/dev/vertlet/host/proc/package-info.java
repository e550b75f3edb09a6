/** Processes as {@code /proc} shows them. */
@NullMarked
package dev.vertlet.host.proc;

import org.jspecify.annotations.NullMarked;
