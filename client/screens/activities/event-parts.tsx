import { Waterfall } from '../../components/waterfall.tsx'
import { OpenEvent } from './open-event.tsx'

/** The parts of the log that only pages with an open event or a trace need. */
export const eventParts = { OpenEvent, Waterfall }
export type EventParts = typeof eventParts
