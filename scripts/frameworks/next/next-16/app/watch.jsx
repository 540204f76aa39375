/** `instrumentation-client.js` calls `watch` instead, which older versions do not load. */
export function Watch() {
  return null
}
