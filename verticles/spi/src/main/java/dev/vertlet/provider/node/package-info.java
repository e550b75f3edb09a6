/** Nodes of a provider: their spec, health, usage and host names. */
@NullMarked
package dev.vertlet.provider.node;

import org.jspecify.annotations.NullMarked;
