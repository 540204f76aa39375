import { type RefObject, useEffect, useEffectEvent } from 'react'
import { hasModifier } from '../../components/has-modifier.ts'
import { isShortcut } from '../../shell/keys.ts'
import { shortcutKey } from '../../shell/shortcut-key.ts'

/** While a key is held down, only the event of the last row is opened. */
const openAfterMs = 80

/**
 * Keyboard shortcuts for the log: `j` and `k` or the arrow keys move to the next and previous row, `l` calls `onFollow`. If
 * an event is open, the panel shows the event of the new row. Enter on the row of the open event moves the focus to the panel.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, onFollow: () => void): void {
  // An effect event, because a new render must not cancel the opening of an event.
  const follow = useEffectEvent(onFollow)
  useEffect(() => {
    let opening: ReturnType<typeof setTimeout> | undefined

    function onKey(event: KeyboardEvent): void {
      if (!isShortcut(event)) return
      const key = shortcutKey(event)
      const step = stepOf(key, list.current)
      if (step !== 0) {
        const row = focusRow(list.current, step)
        if (row === undefined) return
        event.preventDefault()
        clearTimeout(opening)
        if (openEvent() !== null) opening = setTimeout(replaceEvent, openAfterMs, row)
      } else if (key === 'l') follow()
    }
    function onClick(event: MouseEvent): void {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link?.ariaCurrent !== 'true' || !list.current?.contains(link) || hasModifier(event)) return
      event.preventDefault()
      openEvent()?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('click', onClick)
    return () => {
      clearTimeout(opening)
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('click', onClick)
    }
  }, [list])
}

function openEvent(): HTMLElement | null {
  return document.getElementById('event')
}

/** Arrow keys scroll the page unless the focus is in the log, or an event is open and no element has the focus. */
function stepOf(key: string, list: HTMLElement | null): -1 | 0 | 1 {
  if (key === 'j') return 1
  if (key === 'k') return -1
  const active = document.activeElement
  const isInLog = list?.contains(active) || (openEvent() !== null && active === document.body)
  if (!isInLog) return 0
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
}

/**
 * Focuses the row next to the focused row or, if no row has the focus, next to the row of the open event. If there is
 * neither, focuses the first row. Returns the link of the row, or `undefined` at either end of the log.
 */
function focusRow(list: HTMLElement | null, step: 1 | -1): HTMLAnchorElement | undefined {
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>('tbody a') ?? [])]
  const from =
    links.find(link => link === document.activeElement) ?? links.find(link => link.ariaCurrent === 'true')
  const next = links[from === undefined ? 0 : links.indexOf(from) + step]
  next?.focus()
  return next
}

/** Replaces the history entry, so that Back closes the panel however many events were opened. */
function replaceEvent(link: HTMLAnchorElement): void {
  if ('navigation' in window) window.navigation.navigate(link.href, { history: 'replace' })
  else location.replace(link.href)
}
