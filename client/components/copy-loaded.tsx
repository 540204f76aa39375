import type { ReactNode } from 'react'
import { copyText } from '../copy-text.ts'
import { showProblem } from '../page-notice.ts'
import { Button } from './button.tsx'

/**
 * A button that copies text. `load` loads the code that creates the text. It also runs when the visitor is about to press
 * the button, because Safari blocks copying if there is a download between the click and the copying.
 */
export function CopyLoaded(props: { load: () => Promise<string>; children: ReactNode }) {
  // Loading fails if the visitor is offline.
  const load = () => props.load().catch(() => null)
  return (
    <Button
      onPointerEnter={load}
      onFocus={load}
      onClick={async () => {
        const text = await load()
        if (text === null) showProblem('Copying failed')
        else await copyText(text)
      }}
    >
      {props.children}
    </Button>
  )
}
