/**
 * Logs, commands and forwarded ports of a back end's containers, with back-pressure in both
 * directions.
 */
@NullMarked
package dev.vertlet.remote.stream;

import org.jspecify.annotations.NullMarked;
