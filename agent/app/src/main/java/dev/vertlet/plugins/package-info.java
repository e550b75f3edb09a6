/**
 * Loads providers that are not part of the build: jars in a directory, each with its own class
 * loader, and factories of an embedding program.
 *
 * <p>Blocks while it reads files: not for event loops. Loaded providers stay loaded for the life of
 * the process.
 */
@NullMarked
package dev.vertlet.plugins;

import org.jspecify.annotations.NullMarked;
