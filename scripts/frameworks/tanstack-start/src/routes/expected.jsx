import { createFileRoute, Link } from '@tanstack/react-router'

export const Route = createFileRoute('/expected')({
  component: () => (
    <>
      <Link to="/denied" preload={false}>
        Denied
      </Link>
      <Link to="/search" search={{ count: 'many' }} preload={false}>
        Search
      </Link>
    </>
  ),
})
