/** The id of the live region in the shell. */
export const announcerId = 'announcer'

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const announcer = document.getElementById(announcerId)
  if (announcer !== null) announcer.textContent = text
}
