/**
 * Moves the focus to the part of the page that the address refers to, unless something has the focus. After a form was
 * submitted, the visitor continues there, and a screen reader says where. Browsers only scroll to it.
 */
export function focusTarget(): void {
  const target = document.getElementById(location.hash.slice(1))
  if (target === null || document.activeElement !== document.body) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}
