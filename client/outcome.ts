import { announce } from './announce.ts'
import { focusTarget } from './focus-target.ts'

/** The attribute of elements that show the result of the form that was just submitted. */
const outcomeAttribute = 'data-outcome'

/**
 * Announces the result of a form that was submitted without a page load. Moves the focus to the result if the focused element
 * is no longer visible, or if the result needs attention and the focus is in the form.
 * @param needsAttention whether the visitor must read or correct something
 */
export function showOutcome(form: HTMLFormElement, needsAttention: boolean): void {
  const part = document.getElementById(location.hash.slice(1)) ?? document.getElementById('main')
  const outcome = part?.querySelector<HTMLElement>(`[${outcomeAttribute}]`) ?? null
  const problem = part?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null
  // When the `<details>` around a form closes, its summary gets the focus.
  const isFocusInForm = (form.closest('details') ?? form).contains(document.activeElement)
  if (!isFocusVisible() || (needsAttention && isFocusInForm)) focus(problem ?? outcome)
  if (!isFocusVisible()) focusTarget()
  if (outcome === null) return
  // Announces only the title of a notice, because the rest may contain a secret.
  const title = outcome.querySelector('.notice-text > strong') ?? outcome
  if (!outcome.contains(document.activeElement)) announce(title.textContent)
  outcome.scrollIntoView({ block: 'nearest' })
}

/** Returns `false` if the focused element was removed, or hidden with the `<details>` around it. */
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
