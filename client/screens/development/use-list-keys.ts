import { useEffect } from 'react'
import { isShortcut } from '../../shell/keys.ts'

/**
 * Keyboard shortcuts for the list of failures: `j` and `k` move to the next and previous failure, `x` selects it, and
 * Escape clears the selection.
 */
export function useListKeys(): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (!isShortcut(event)) return
      if (event.key === 'j') focusRow(1)
      else if (event.key === 'k') focusRow(-1)
      else if (event.key === 'x') focusedRow()?.querySelector('input')?.click()
      else if (event.key === 'Escape') document.querySelector<HTMLFormElement>('.failures-list')?.reset()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
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
