/**
 * Meters of filters for <a href="https://micrometer.io">Micrometer</a>. Start at {@link
 * io.bloomkit.micrometer.FilterMetrics}.
 *
 * <p>Depends on bloom-api and micrometer-core only: it meters filters of your own as well.
 */
@NullMarked
package io.bloomkit.micrometer;

import org.jspecify.annotations.NullMarked;
