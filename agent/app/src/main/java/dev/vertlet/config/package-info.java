/**
 * The configuration of an agent: the records of its sections, and the loader that reads file,
 * environment and flags.
 *
 * <p>{@link dev.vertlet.config.ConfigLoader} is the only way in. {@code conf/vertlet.schema.json},
 * packaged as a resource, says which keys exist, what each may hold and its default. {@link
 * dev.vertlet.config.SectionBinder} binds each section to its record, whose components are the
 * keys; the compact constructors check durations, and how values relate to one another. All
 * problems are reported at once, as a {@link dev.vertlet.config.document.ConfigException}. Loading
 * reads files and asks the operating system, so it runs before the event loops or off them; the
 * records are immutable and safe anywhere. Nothing here takes or sends bus messages, and nothing
 * here watches the file for changes.
 */
@NullMarked
package dev.vertlet.config;

import org.jspecify.annotations.NullMarked;
