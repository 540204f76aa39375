export function loader() {
  throw new Error('failed in navigation')
}

export default function Cart() {
  return <h1>Cart</h1>
}
