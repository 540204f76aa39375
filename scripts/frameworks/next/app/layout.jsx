import { Watch } from './watch.jsx'

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <Watch />
        {children}
      </body>
    </html>
  )
}
