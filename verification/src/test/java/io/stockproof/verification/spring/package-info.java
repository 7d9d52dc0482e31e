/** Spring beans as subjects. */
@NullMarked
package io.stockproof.verification.spring;

import org.jspecify.annotations.NullMarked;
