export function loader() {
  throw new Error('failed in resource')
}
