import type { Mutex } from '../../common/mutex.ts'

/** Merges and splits read failure ids before they change them, so only one of these changes may run at a time. */
export type GroupingLock = { withGroupingLock: Mutex }
