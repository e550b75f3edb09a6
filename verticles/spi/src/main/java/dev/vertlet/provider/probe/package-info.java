/** Probes: requests, results and counts. */
@NullMarked
package dev.vertlet.provider.probe;

import org.jspecify.annotations.NullMarked;
