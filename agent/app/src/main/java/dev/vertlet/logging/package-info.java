/**
 * Sets up logging without a file, follows the {@code log} section of the configuration while the
 * process runs, and writes each event as one line of text or JSON.
 *
 * <p>Everything here may be called from any thread. Other back ends of SLF4J stay unchanged.
 */
@NullMarked
package dev.vertlet.logging;

import org.jspecify.annotations.NullMarked;
