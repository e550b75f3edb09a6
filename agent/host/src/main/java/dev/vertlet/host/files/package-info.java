/**
 * Files and directories in which providers keep their state, and the threads that may block on
 * them.
 */
@NullMarked
package dev.vertlet.host.files;

import org.jspecify.annotations.NullMarked;
