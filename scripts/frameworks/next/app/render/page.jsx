export const dynamic = 'force-dynamic'

export default function Page() {
  throw new Error('failed in render')
}
