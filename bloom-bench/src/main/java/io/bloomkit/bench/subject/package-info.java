/**
 * The filters that are measured, ours and those of other libraries, behind one face. Start at
 * {@link io.bloomkit.bench.subject.Subject}, which lists them. Leans on no other package of the
 * benchmarks.
 */
@NullMarked
package io.bloomkit.bench.subject;

import org.jspecify.annotations.NullMarked;
