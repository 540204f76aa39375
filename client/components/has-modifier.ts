/** Whether a click has its own meaning in the browser, such as opening the link in a new tab. */
export function hasModifier({ ctrlKey, metaKey, altKey, shiftKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey
}
