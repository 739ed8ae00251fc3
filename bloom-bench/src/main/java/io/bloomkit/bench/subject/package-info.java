/**
 * The measured filters of Bloomkit and of other libraries, behind a common interface. Start at
 * {@link io.bloomkit.bench.subject.Subject}, which lists them. Depends on no other package of the
 * benchmarks.
 */
@NullMarked
package io.bloomkit.bench.subject;

import org.jspecify.annotations.NullMarked;
