/**
 * Commands that the harness adds to {@code vertlet}: whatever needs a cluster to be started. They
 * block their own thread; nothing here runs on an event loop.
 */
@NullMarked
package dev.vertlet.harness.command;

import org.jspecify.annotations.NullMarked;
