import { Suspense } from 'react'
import { Await } from 'react-router'

export function loader() {
  return { total: total() }
}

async function total() {
  await new Promise(resolve => setTimeout(resolve, 100))
  throw new Error('failed in deferred')
}

export default function Cart({ loaderData }) {
  return (
    <Suspense fallback={<p>Loading</p>}>
      <Await resolve={loaderData.total} errorElement={<p>Our shop is closed</p>}>
        {total => <p>{total}</p>}
      </Await>
    </Suspense>
  )
}
