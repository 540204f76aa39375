import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/click')({ component: Cart })

function Cart() {
  function cancel() {
    throw new Error('failed in click')
  }
  return (
    <button type="button" onClick={cancel}>
      Cancel
    </button>
  )
}
