/**
 * Commands that the harness adds to {@code vertlet}: those that start clusters, agents or load.
 * They block their own thread; no code here runs on an event loop.
 */
@NullMarked
package dev.vertlet.harness.command;

import org.jspecify.annotations.NullMarked;
