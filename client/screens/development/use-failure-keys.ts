import { useEffect } from 'react'
import { failureForms } from '../../../shared/screens/development.ts'
import { isShortcut } from '../../shell/keys.ts'
import { shortcutKey } from '../../shell/shortcut-key.ts'

const changes: ReadonlyMap<string, string> = new Map([
  ['r', failureForms.resolve],
  ['m', failureForms.mute],
])

/**
 * Keyboard shortcuts for failures: `r` resolves and `m` mutes the displayed failure, the selected ones or the focused one.
 * In the list, `j` and `k` move to the next and previous failure, `x` selects the focused one, and Escape clears the
 * selection.
 */
export function useFailureKeys(): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (!isShortcut(event)) return
      const key = shortcutKey(event)
      const change = changes.get(key)
      if (change !== undefined) submitChange(change)
      else if (key === 'j') focusRow(1)
      else if (key === 'k') focusRow(-1)
      else if (key === 'x') focusedRow()?.querySelector('input')?.click()
      else if (key === 'Escape') list()?.reset()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Clicks the button for a change, if there is one. If no failure is selected, selects the focused one first. */
function submitChange(change: string): void {
  const button = document.querySelector<HTMLButtonElement>(`button[name=form][value=${change}]`)
  if (button === null) return
  const form = list()
  if (form !== null && form.querySelector('[name=failure]:checked') === null) {
    const row = focusedRow()
    if (row === null) return
    row.querySelector('input')?.click()
  }
  button.click()
}

function list(): HTMLFormElement | null {
  return document.querySelector('.failures-list')
}

function focusedRow(): Element | null {
  return document.activeElement?.closest('.failures tbody tr') ?? null
}

/** Focuses the link of the row next to the focused one, or of the first row. */
function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll('.failures tbody tr')]
  const current = focusedRow()
  const row = rows[current === null ? 0 : rows.indexOf(current) + step]
  row?.querySelector('a')?.focus()
}
