/**
 * The configuration of an agent: its records, their defaults, and the loader that reads file,
 * environment and flags.
 *
 * <p>{@link dev.vertlet.config.ConfigLoader} is the only entry point. {@code
 * conf/vertlet.schema.json}, packaged as a resource, defines the keys and their types; the compact
 * constructors of the records check the relations between values. All mistakes are reported at
 * once, as a {@link dev.vertlet.config.ConfigException}. Loading reads files and queries the
 * operating system, so it runs before the event loops start or off them; the records are immutable
 * and thread-safe. The package uses no event bus and does not watch the file for changes.
 */
@NullMarked
package dev.vertlet.config;

import org.jspecify.annotations.NullMarked;
