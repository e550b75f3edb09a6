@NullMarked
package dev.vertlet.lifecycle.nodehealth;

import org.jspecify.annotations.NullMarked;
