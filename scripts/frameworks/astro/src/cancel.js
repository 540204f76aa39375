export function cancel() {
  throw new Error('failed in click')
}
