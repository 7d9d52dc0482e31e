/**
 * A run as one self-contained page: from a {@link io.stockproof.reports.RunRecord} alone, without a
 * network, without a script that it needs. What templates show is public here because they are
 * compiled into a package of their own.
 */
@NullMarked
package io.stockproof.reports.html;

import org.jspecify.annotations.NullMarked;
