/** Tests of the gallery, on real servers. */
@NullMarked
package io.stockproof.verification.gallery;

import org.jspecify.annotations.NullMarked;
