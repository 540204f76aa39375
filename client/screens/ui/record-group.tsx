import type { UiContent } from '../../../shared/screens/ui.ts'
import { Events } from './events.tsx'
import { Failures } from './failures.tsx'

export type RecordContent = Extract<UiContent, { group: 'events' | 'failures' }>

/** A catalogue page of components for events or failures. */
export function RecordGroup({ content }: { content: RecordContent }) {
  return content.group === 'events' ? <Events {...content} /> : <Failures {...content} />
}
