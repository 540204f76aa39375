import { type ReactNode, useEffect, useRef } from 'react'
import type { FailureRow } from '../../../shared/failure.ts'
import { type DevelopmentFailures, failureForms } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { failureLinkId } from '../../components/failure-list.tsx'
import { useDevelopmentAction } from './form-action.ts'

/** Selects a failure for the form around the list. */
export function SelectFailure({ failure }: { failure: FailureRow }) {
  return <input type="checkbox" name="failure" value={failure.id} aria-labelledby={failureLinkId(failure)} />
}

/** Selects all listed failures, or none. Shows whether all or some are selected. */
export function SelectAll() {
  const field = useRef<HTMLInputElement>(null)
  // The list may contain different rows after each render.
  useEffect(() => showSelection(field.current))

  useEffect(() => {
    const all = field.current
    const stop = new AbortController()
    const show = () => showSelection(all)
    const change = ({ target }: Event) => {
      if (all !== null && target === all) for (const box of boxesOf(all)) box.checked = all.checked
      show()
    }
    all?.form?.addEventListener('change', change, { signal: stop.signal })
    // The browser resets the fields after the event.
    all?.form?.addEventListener('reset', () => setTimeout(show), { signal: stop.signal })
    return () => stop.abort()
  }, [])

  return <input ref={field} type="checkbox" className="needs-script" aria-label="Select all failures" />
}

/** Shows how many failures are selected, and whether that is all of them. */
function showSelection(all: HTMLInputElement | null): void {
  if (all === null) return
  const boxes = boxesOf(all)
  const selected = boxes.filter(box => box.checked).length
  all.checked = selected > 0 && selected === boxes.length
  all.indeterminate = selected > 0 && selected < boxes.length
  all.form?.querySelector('output')?.replaceChildren(`${selected} selected`)
}

/** The checkboxes of the failures. */
function boxesOf({ form }: HTMLInputElement): HTMLInputElement[] {
  const fields = [...(form?.elements ?? [])].filter(field => field instanceof HTMLInputElement)
  return fields.filter(({ name }) => name === 'failure')
}

const buttons = {
  resolve: 'Resolve',
  mute: 'Mute',
  reopen: 'Reopen',
} as const
const buttonsOf: Record<DevelopmentFailures['state'], (keyof typeof buttons)[]> = {
  open: ['resolve', 'mute'],
  resolved: ['reopen', 'mute'],
  muted: ['resolve', 'reopen'],
  all: ['resolve', 'mute', 'reopen'],
}

/** A list of failures, and buttons that change the selected ones. The buttons are visible while something is selected. */
export function ChangeSelected(props: { state: DevelopmentFailures['state']; children: ReactNode }) {
  return (
    <form className="failures-list" method="post" action={useDevelopmentAction('failures')}>
      {/* Pressing Enter in a checkbox clicks the first button. Outside a dialog, the method of this button does nothing. */}
      <button type="submit" formMethod="dialog" className="button-default" />
      {props.children}
      <fieldset className="failures-change">
        <legend className="visually-hidden">Change the selected failures</legend>
        <output className="needs-script" />
        {buttonsOf[props.state].map((name, index) => (
          <Button
            key={name}
            type="submit"
            kind={index === 0 ? 'primary' : 'plain'}
            name="form"
            value={failureForms[name]}
          >
            {buttons[name]}
          </Button>
        ))}
        <Button type="reset">Clear</Button>
      </fieldset>
    </form>
  )
}
