/**
 * Meters of filters for <a href="https://micrometer.io">Micrometer</a>. Start at {@link
 * io.bloomkit.micrometer.FilterMetrics}. It works with any {@link io.bloomkit.MembershipFilter},
 * also with one of your own.
 */
@NullMarked
package io.bloomkit.micrometer;

import org.jspecify.annotations.NullMarked;
