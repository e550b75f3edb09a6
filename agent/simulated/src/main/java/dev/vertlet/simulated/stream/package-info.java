/** Logs and forwarded ports of simulated containers. */
@NullMarked
package dev.vertlet.simulated.stream;

import org.jspecify.annotations.NullMarked;
