export function load() {
  throw new Error('failed in load')
}
