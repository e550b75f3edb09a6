/** Probes and hooks over the network. */
@NullMarked
package dev.vertlet.host.probe;

import org.jspecify.annotations.NullMarked;
