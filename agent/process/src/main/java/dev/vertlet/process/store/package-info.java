/** What is on disk of pods and containers, and is read again after a restart of the agent. */
@NullMarked
package dev.vertlet.process.store;

import org.jspecify.annotations.NullMarked;
