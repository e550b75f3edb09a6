/**
 * Reads JSON documents, each described by a schema, as strictly as the configuration: a duplicate
 * key, a comment or an unknown key is an error, and one exception reports all mistakes. Uses no
 * thread; what reads files is not for event loops.
 */
@NullMarked
package dev.vertlet.config.document;

import org.jspecify.annotations.NullMarked;
