/**
 * Images of containers and of nodes: inspection, pull and back-off before a start, garbage
 * collection, and the images in a node's status. Runs on the core's loop.
 */
@NullMarked
package dev.vertlet.kubelet.image;

import org.jspecify.annotations.NullMarked;
