/**
 * The filter that remembers a window of additions or of time, and forgets what is older.
 *
 * <p>Start at {@link io.bloomkit.scalable.aging.AgingBloomFilter}. Depends on bloom-api only, not
 * on the filters that grow.
 */
@NullMarked
package io.bloomkit.scalable.aging;

import org.jspecify.annotations.NullMarked;
