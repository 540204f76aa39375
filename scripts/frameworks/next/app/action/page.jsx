export const dynamic = 'force-dynamic'

async function order() {
  'use server'
  throw new Error('failed in action')
}

export default function Page() {
  return (
    <form action={order}>
      <button type="submit">Order</button>
    </form>
  )
}
