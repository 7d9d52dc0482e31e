/** Each rule by small histories, and by an obviously right brute force. */
@NullMarked
package io.stockproof.verification.rules;

import org.jspecify.annotations.NullMarked;
