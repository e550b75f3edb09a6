/**
 * Facts about this process that need no file of its own: environment variables, the machine, and
 * the build of vertlet. Read once, before the event loops or off them.
 */
@NullMarked
package dev.vertlet.config.process;

import org.jspecify.annotations.NullMarked;
