export default defineEventHandler(() => {
  throw new Error('failed in api/route')
})
