/**
 * A small shell for simulated containers: it has no files and starts no process.
 *
 * <p>{@link dev.vertlet.simulated.shell.Session} runs one command with the streams of one client.
 * {@code ScriptParser} is pure. Streams run on their own loop, timers and the end of the container
 * on another one: {@link dev.vertlet.simulated.shell.Serial} runs one task at a time, so that all
 * else here has plain fields and no locks.
 *
 * <p>Not promised: variables, pipes, background jobs, loops, patterns and files. A script that
 * names a variable, a pipe, a job or a file is refused as a whole, with a message.
 */
@NullMarked
package dev.vertlet.simulated.shell;

import org.jspecify.annotations.NullMarked;
