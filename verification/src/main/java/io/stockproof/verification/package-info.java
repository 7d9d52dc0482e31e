/**
 * The specification of first-come-first-served issuing: what an implementation under verification
 * (a subject) gives, and what it is told. Rules, environments and the searches are in the packages
 * below.
 */
@NullMarked
package io.stockproof.verification;

import org.jspecify.annotations.NullMarked;
