export default defineEventHandler(event => {
  if (event.path === '/middleware') throw new Error('failed in middleware')
})
