/**
 * Nodes as a kubelet sees them: whether the runtime can run containers, what its nodes are short
 * of, which pods are admitted, and which have to go. Runs on the core's loop.
 */
@NullMarked
package dev.vertlet.lifecycle.nodehealth;

import org.jspecify.annotations.NullMarked;
