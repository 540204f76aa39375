import type { Frame } from '../../shared/content.ts'
import type { Exception } from '../../shared/event.ts'

/** What is known of a failure from one thrown value or one event. */
export type Failures = {
  /**
   * Describes a value that was thrown in this process: its stack mapped to source, and its fingerprint, which
   * is its digest too. Never throws, whatever was thrown.
   */
  describe(thrown: unknown): Promise<DescribedFailure>
  /** The same for an exception that Sixpane's own client reported: its stack names served chunks. */
  describeReported(exception: Exception): Promise<DescribedFailure>
  /** The fingerprint of an exception that came with an event; `fallback` (message and route) where it has no stack. */
  fingerprint(exception: Exception, fallback?: { body: string; route: string | null }): string
  /** The frames of a stack with the code around them, as far as source maps of Sixpane's own build hold it. */
  frames(stack: string): Promise<Frame[]>
}

export type DescribedFailure = { digest: string; exception: Exception }
