/**
 * A small shell for simulated containers: it has no files and starts no process, and answers as one
 * would whose image holds little more than a shell.
 *
 * <p>{@link dev.vertlet.simulated.shell.Session} runs one command with the streams of one client.
 * {@code ScriptParser} and the records it makes are pure. Streams are handled on the loop they
 * belong to, timers and the end of the container come from another one: {@link
 * dev.vertlet.simulated.shell.Serial} lets one at a time do its work, so that all else here has
 * plain fields and no locks.
 *
 * <p>Not promised: pipes, background jobs, loops, substitution of commands, patterns and files. A
 * script that has them fails as a whole, with a message.
 */
@NullMarked
package dev.vertlet.simulated.shell;

import org.jspecify.annotations.NullMarked;
