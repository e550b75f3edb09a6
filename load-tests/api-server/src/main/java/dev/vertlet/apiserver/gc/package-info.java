/**
 * The garbage collector: deletes objects whose owners are gone, carries out foreground and
 * orphaning deletions.
 *
 * <p>A controller in the sense of {@link dev.vertlet.apiserver.control}. It remembers who names
 * whom as owner and looks only at the dependents of what has changed. An owner of a kind this
 * server does not serve is taken to exist; so is one in another namespace, which the real collector
 * reports instead.
 */
@NullMarked
package dev.vertlet.apiserver.gc;

import org.jspecify.annotations.NullMarked;
