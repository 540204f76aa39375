'use client'

import * as Sentry from '@sentry/nextjs'
import { useEffect } from 'react'

export default function GlobalError({ error }) {
  useEffect(() => void Sentry.captureException(error), [error])
  return (
    <html lang="en">
      <body>
        <h1>Something went wrong</h1>
        <p>Digest: {error.digest}</p>
      </body>
    </html>
  )
}
