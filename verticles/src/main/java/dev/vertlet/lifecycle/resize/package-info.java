/**
 * Other resources for containers that run: {@code ResizeQueue} asks the node to grant them, {@code
 * ResizePlan} says how containers come to have them, {@code ResizeActions} does it. The API
 * server's status is the only memory of both.
 *
 * <p>Not promised: pods with resources of their own are not resized as a whole. Of limits the
 * status shows what a container has and not what it was granted: where a resize was under way when
 * the agent ended, and the spec has changed since, limits are granted anew.
 */
@NullMarked
package dev.vertlet.lifecycle.resize;

import org.jspecify.annotations.NullMarked;
