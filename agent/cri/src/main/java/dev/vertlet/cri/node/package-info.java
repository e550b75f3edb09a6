/** What nodes say of this machine and of the container runtime. */
@NullMarked
package dev.vertlet.cri.node;

import org.jspecify.annotations.NullMarked;
