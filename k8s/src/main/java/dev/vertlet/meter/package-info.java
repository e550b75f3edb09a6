/** What is told of each metric, and the meters that are made of it. */
@NullMarked
package dev.vertlet.meter;

import org.jspecify.annotations.NullMarked;
