export function loader() {
  throw new Error('failed in loader')
}

export default function Cart() {
  return <h1>Cart</h1>
}
