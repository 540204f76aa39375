/** The id of the live region that the shell renders. */
export const announcerId = 'announcer'

/** Announces a text to screen readers without moving the focus. */
export function announce(text: string): void {
  const announcer = document.getElementById(announcerId)
  if (announcer !== null) announcer.textContent = text
}
