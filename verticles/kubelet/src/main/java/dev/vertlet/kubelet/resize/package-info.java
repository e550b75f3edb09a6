/**
 * Resizes running containers: {@code ResizeQueue} asks the node to grant their resources, {@code
 * ResizePlan} decides how containers get them, {@code ResizeActions} performs it. Only the API
 * server's status remembers both across restarts.
 *
 * <p>Not promised: pods with resources of their own are not resized as a whole. The status shows
 * the limits that a container has, not those that it was granted: if a resize was under way when
 * the agent ended, and the spec has changed since, limits are granted anew.
 */
@NullMarked
package dev.vertlet.kubelet.resize;

import org.jspecify.annotations.NullMarked;
