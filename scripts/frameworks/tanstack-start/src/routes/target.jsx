import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'

const cart = createServerFn().handler(() => {
  throw new Error('failed in navigation')
})

export const Route = createFileRoute('/target')({ loader: () => cart(), component: () => <h1>Cart</h1> })
