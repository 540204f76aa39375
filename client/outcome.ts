import { announce } from './announce.ts'
import { focusTarget } from './focus-target.ts'

/** The attribute of elements that show the result of the form that was just submitted. */
export const outcomeAttribute = 'data-outcome'

/**
 * Tells the result of a form that was submitted without a page load: announces it, and moves the focus there if it has
 * nowhere to stay.
 * @param isConfirmed whether the page only confirms the change; otherwise, it has something to read or correct
 */
export function showOutcome(form: HTMLFormElement, isConfirmed: boolean): void {
  const part = document.getElementById(location.hash.slice(1)) ?? document.getElementById('main')
  const outcome = part?.querySelector<HTMLElement>(`[${outcomeAttribute}]`) ?? null
  const problem = part?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null
  const hasFocus = isFocusVisible()
  // A form that is submitted by a change, such as a choice of a theme, must not move the visitor elsewhere.
  const isElsewhere = hasFocus && !form.contains(document.activeElement)
  if (!(isConfirmed && hasFocus) && !isElsewhere) focus(problem ?? outcome)
  if (!isFocusVisible()) focusTarget()
  if (outcome === null) return
  if (!outcome.contains(document.activeElement)) announce(outcome.textContent)
  outcome.scrollIntoView({ block: 'nearest' })
}

/** The focused element may have been removed, or hidden with the `<details>` around it. */
function isFocusVisible(): boolean {
  const { activeElement } = document
  return activeElement !== null && activeElement !== document.body && activeElement.checkVisibility()
}

function focus(element: HTMLElement | null): void {
  if (element === null) return
  if (!element.matches('input, select, textarea, button')) element.tabIndex = -1
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest' })
}
