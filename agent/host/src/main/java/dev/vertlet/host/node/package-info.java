/** What nodes say of the machine that they are on, and measurements of it. */
@NullMarked
package dev.vertlet.host.node;

import org.jspecify.annotations.NullMarked;
