/** The element that speaks for the page; the shell renders it. */
export const announcerId = 'announcer'

/** Says something to screen readers without moving the focus. */
export function announce(text: string): void {
  const announcer = document.getElementById(announcerId)
  if (announcer !== null) announcer.textContent = text
}
