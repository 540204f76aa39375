/** The id of the shell's live region. */
export const announcerId = 'announcer'

/** Announces text to screen readers. */
export function announce(text: string): void {
  const announcer = document.getElementById(announcerId)
  if (announcer !== null) announcer.textContent = text
}
