import { Form } from 'react-router'

export function action() {
  throw new Error('failed in action')
}

export default function Cart() {
  return (
    <Form method="post">
      <button type="submit">Order</button>
    </Form>
  )
}
