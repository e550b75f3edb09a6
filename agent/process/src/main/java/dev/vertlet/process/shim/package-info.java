/** Shims: their command line, their files, and the messages of their control sockets. */
@NullMarked
package dev.vertlet.process.shim;

import org.jspecify.annotations.NullMarked;
