/*
 * shell_collector - the collector of a bolt that runs under Storm: rows become
 * tuples of Storm, or lines of the blocks that it sends, and what they come
 * from is acked when they are sent and the bolt is done with it.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_SHELL_COLLECTOR_H
#define STORM_SHELL_COLLECTOR_H

#include "storm/shell_bolt.h"

/* Fill in the bolt's collector and streams, when its context is received. */
void shell_collector_init(struct shell_bolt *b);
void shell_collector_fini(struct shell_bolt *b);

/*
 * Flush the side file, then the output to Storm, so that nothing is acked
 * before it is in the file.
 */
void shell_collector_flush(struct shell_bolt *b);

/*
 * Send the blocks that are LINE_BLOCK_MS old.  Returns when the next one will
 * be; INT64_MAX if there is none.
 */
int64_t shell_collector_send_due(struct shell_bolt *b);

#endif
