/** Definitions of metrics, and the meters created from them. */
@NullMarked
package dev.vertlet.meter;

import org.jspecify.annotations.NullMarked;
