import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/load')({
  loader() {
    throw new Error('failed in load')
  },
  component: () => <h1>Cart</h1>,
})
