import { createFileRoute, Link } from '@tanstack/react-router'

export const Route = createFileRoute('/navigation')({
  component: () => (
    <Link to="/target" preload={false} role="button">
      Cart
    </Link>
  ),
})
