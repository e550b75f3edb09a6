/**
 * Finds providers that are not part of the build: jars in a directory, each with a class loader of
 * its own, and factories that an embedding program hands over.
 *
 * <p>Reads files; not for event loops. What it loads stays loaded for the life of the process.
 */
@NullMarked
package dev.vertlet.plugins;

import org.jspecify.annotations.NullMarked;
