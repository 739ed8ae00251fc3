/** The statistics and laws, against simulation and against each other. */
@NullMarked
package io.bloomkit.testkit.stat;

import org.jspecify.annotations.NullMarked;
