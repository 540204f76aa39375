import { Cart } from './cart.jsx'

export const dynamic = 'force-dynamic'

export default function Page() {
  return <Cart items={null} />
}
