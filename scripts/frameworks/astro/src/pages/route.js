export function GET() {
  throw new Error('failed in route')
}
