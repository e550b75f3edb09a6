/**
 * Logs, exec, attach and port-forward: what both kinds of providers implement, and the streams that
 * they are given.
 */
@NullMarked
package dev.vertlet.provider.stream;

import org.jspecify.annotations.NullMarked;
