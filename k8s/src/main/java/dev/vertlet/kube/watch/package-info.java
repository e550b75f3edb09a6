/**
 * Watches: {@link dev.vertlet.kube.watch.Reflector} lists and watches on the client's loop, and
 * calls its listener on the context that started it. {@code ReflectorCore} and {@code
 * ReflectorIndex} decide, without I/O.
 */
@NullMarked
package dev.vertlet.kube.watch;

import org.jspecify.annotations.NullMarked;
