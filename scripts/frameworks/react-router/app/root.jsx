import { Outlet, Scripts } from 'react-router'
import { useFailureDigest } from 'sixpane/react-router'

export function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Shop</title>
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

export function ErrorBoundary({ error }) {
  const digest = useFailureDigest(error)
  return (
    <>
      <h1>Our shop is closed</h1>
      {digest !== null && <p>Digest: {digest}</p>}
    </>
  )
}
