import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/render')({ component: () => <p>{total()}</p> })

function total() {
  throw new Error('failed in render')
}
