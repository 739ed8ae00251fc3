/**
 * Meters of filters for <a href="https://micrometer.io">Micrometer</a>. Start at {@link
 * io.bloomkit.micrometer.FilterMetrics}, which works with any {@link io.bloomkit.MembershipFilter},
 * including your own implementations.
 */
@NullMarked
package io.bloomkit.micrometer;

import org.jspecify.annotations.NullMarked;
