@NullMarked
package io.stockproof.verification.subjects;

import org.jspecify.annotations.NullMarked;
