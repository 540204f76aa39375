/** Whether an input method handles a key. In Safari, only the code 229 identifies the key that ends a composition. */
export function isForInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229
}
