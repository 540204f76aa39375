import { screenIds, screens } from '../../shared/screens.ts'
import { openKeysDialog, screenKeys } from './keys-dialog.tsx'
import { paletteButtonId } from './palette-button.tsx'

/** How long `g` waits for the letter of a screen. */
const chordMs = 1500

/**
 * Listens for the keys that work on every screen: `/` goes to the search, `g` and a letter to a screen, `?`
 * lists them, Ctrl or ⌘ with `k` opens the commands, Escape closes an open menu. Gives a function that stops it.
 */
export function listenForKeys(): () => void {
  const ended = new AbortController()
  let chordUntilMs = 0

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') closeMenus()
    if (isCommandKey(event)) {
      event.preventDefault()
      document.getElementById(paletteButtonId)?.click()
    }
    if (!isShortcut(event)) return
    const inChord = event.timeStamp < chordUntilMs
    chordUntilMs = 0
    if (inChord && goTo(event.key)) event.preventDefault()
    else if (event.key === 'g') chordUntilMs = event.timeStamp + chordMs
    else if (event.key === '/' && focusSearch()) event.preventDefault()
    else if (event.key === '?') openKeysDialog()
  }

  document.addEventListener('keydown', onKey, { signal: ended.signal })
  document.addEventListener('click', event => closeMenus(event.target), { signal: ended.signal })
  return () => ended.abort()
}

/** Whether a key may mean more than itself: nobody is typing, no dialog is open, no modifier is held. */
export function isShortcut(event: KeyboardEvent): boolean {
  const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
  return isPlain && !isTyping(event.target) && document.querySelector('dialog[open]') === null
}

/** Also while somebody types: with a modifier it is no text. */
function isCommandKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  const isAlone = !event.defaultPrevented && ctrlKey !== metaKey && !altKey && !shiftKey
  return isAlone && key.toLowerCase() === 'k' && document.querySelector('dialog[open]') === null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'))
  )
}

/** The screen's own search where it has one, else the header's. */
function focusSearch(): boolean {
  const field =
    document.querySelector<HTMLInputElement>('main input[type=search]') ??
    document.querySelector<HTMLInputElement>('#shell-search')
  field?.focus()
  field?.select()
  return field !== null
}

/** Follows the link of the navigation, so that a key does what a click does. */
function goTo(key: string): boolean {
  const id = screenIds.find(each => screenKeys[each] === key)
  if (id === undefined) return false
  const link = document.querySelector<HTMLAnchorElement>(`.shell-nav a[href="${screens[id].path}"]`)
  link?.click()
  return link !== null
}

/** Closes the open menus, but the one that holds `target`, unless that leads on; the focus returns to what opened it. */
function closeMenus(target: EventTarget | null = null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
    if (target instanceof Element && menu.contains(target) && target.closest('a') === null) continue
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
    menu.open = false
  }
}
