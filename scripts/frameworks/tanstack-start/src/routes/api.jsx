import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/api')({
  server: {
    handlers: {
      GET() {
        throw new Error('failed in api')
      },
    },
  },
})
