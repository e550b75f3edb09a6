/**
 * Images of containers and of nodes: looking, pulling and waiting before a start, removing what
 * nothing uses, and the images that a node shows. Runs on the core's loop.
 */
@NullMarked
package dev.vertlet.lifecycle.image;

import org.jspecify.annotations.NullMarked;
