export function load() {
  throw new Error('failed in navigation')
}
