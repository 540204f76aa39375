import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/search')({
  validateSearch({ count }) {
    if (count === 'many') throw new Error('count is not a number')
    return { count }
  },
  component: () => <h1>Results</h1>,
})
