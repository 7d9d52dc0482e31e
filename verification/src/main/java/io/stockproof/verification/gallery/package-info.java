/**
 * The gallery: small issuers with one planted mistake each, and the right issuers they were made
 * from. A verification that does not find the mistakes says nothing about an issuer it finds none
 * in.
 */
@NullMarked
package io.stockproof.verification.gallery;

import org.jspecify.annotations.NullMarked;
