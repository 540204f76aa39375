import type { Confirmation } from '../../../shared/confirmation.ts'
import { failureForms } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { useDevelopmentAction } from './form-action.ts'

/** The result of the form that was just submitted, with a button that undoes the change. */
export function Confirmed({ confirmation }: { confirmation: Confirmation | null }) {
  if (confirmation === null) return null
  return (
    <Notice tone="ok" title={confirmation.text} isOutcome>
      {confirmation.undoId !== null && <Undo id={confirmation.undoId} part="failures" />}
    </Notice>
  )
}

/** Undoes a change; `part` is the id of the section that contains the changed failures. */
export function Undo({ id, part }: { id: string; part: string }) {
  return (
    <form method="post" action={useDevelopmentAction(part)}>
      <input type="hidden" name="form" value={failureForms.undo} />
      <Button type="submit" name="undo" value={id}>
        Undo
      </Button>
    </form>
  )
}
