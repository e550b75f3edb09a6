/**
 * The demo: embedded API server, agent and pods in one process, measured through a watch as a user
 * sees them. Blocks the command's thread. The API server and the load share one Vert.x instance;
 * the agent has its own.
 */
@NullMarked
package dev.vertlet.harness.demo;

import org.jspecify.annotations.NullMarked;
