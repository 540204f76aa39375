/** `instrumentation-client.js` starts the SDK instead. */
export function Watch() {
  return null
}
