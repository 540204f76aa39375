import type { UiContent } from '../../../shared/screens/ui.ts'
import { Controls } from './controls.tsx'
import { Labels } from './labels.tsx'
import { Messages } from './messages.tsx'
import { Numbers } from './numbers.tsx'

export type BasicContent = Exclude<UiContent, { group: 'events' | 'failures' }>

/** A catalogue page of labels, controls, messages or numbers. */
export function BasicGroup({ content }: { content: BasicContent }) {
  switch (content.group) {
    case 'labels':
      return <Labels />
    case 'controls':
      return <Controls />
    case 'messages':
      return <Messages />
    case 'numbers':
      return <Numbers {...content} />
  }
}
