import { type RefObject, useEffect } from 'react'
import { isShortcut } from '../../shell/keys.ts'

/**
 * Keyboard shortcuts for the log: `j` and `k`, and the arrow keys within the rows, focus the next and previous row. `l` calls
 * `onFollow`.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, onFollow: () => void): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (!isShortcut(event)) return
      if (event.key === 'j') focusRow(list.current, 1)
      else if (event.key === 'k') focusRow(list.current, -1)
      else if (event.key === 'l') onFollow()
      else if (list.current?.contains(document.activeElement) && isArrow(event.key)) {
        event.preventDefault()
        focusRow(list.current, event.key === 'ArrowDown' ? 1 : -1)
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list, onFollow])
}

function isArrow(key: string): boolean {
  return key === 'ArrowDown' || key === 'ArrowUp'
}

/**
 * Focuses the row next to the focused row or, if no row has the focus, next to the open row. If there is neither, focuses
 * the first row.
 */
function focusRow(list: HTMLElement | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>('tbody a') ?? [])]
  const from =
    links.find(link => link === document.activeElement) ?? links.find(link => link.ariaCurrent === 'true')
  const next = from === undefined ? 0 : links.indexOf(from) + step
  links[next]?.focus()
}
