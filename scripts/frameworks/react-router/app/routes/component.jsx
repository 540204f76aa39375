function total() {
  throw new Error('failed in component')
}

export default function Cart() {
  return <p>{total()}</p>
}
