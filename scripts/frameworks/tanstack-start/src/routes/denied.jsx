import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'

const orders = createServerFn().handler(() => {
  throw Object.assign(new Error('not your orders'), { status: 403 })
})

export const Route = createFileRoute('/denied')({ loader: () => orders(), component: () => <h1>Orders</h1> })
