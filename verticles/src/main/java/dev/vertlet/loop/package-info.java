/**
 * An event loop as the cores see it: a place in line and a timer. Lets what runs on a loop be
 * driven without one.
 *
 * <p>Everything is confined to the thread of its loop. Not guaranteed: that a timer is punctual.
 */
@NullMarked
package dev.vertlet.loop;

import org.jspecify.annotations.NullMarked;
