import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { useState } from 'react'

const order = createServerFn({ method: 'POST' }).handler(() => {
  throw new Error('failed in function')
})

export const Route = createFileRoute('/function')({ component: Cart })

function Cart() {
  const [problem, setProblem] = useState('')
  return (
    <>
      <button type="button" onClick={() => order().catch(error => setProblem(error.message))}>
        Order
      </button>
      <p>{problem}</p>
    </>
  )
}
