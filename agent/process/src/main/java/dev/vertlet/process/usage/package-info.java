/** Usage of processes and of this host, read from {@code /proc} on workers. */
@NullMarked
package dev.vertlet.process.usage;

import org.jspecify.annotations.NullMarked;
