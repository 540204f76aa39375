/** The live region for screen readers; the shell renders it. */
export const announcerId = 'announcer'

/** Announces a text to screen readers without moving the focus. */
export function announce(text: string): void {
  const announcer = document.getElementById(announcerId)
  if (announcer !== null) announcer.textContent = text
}
