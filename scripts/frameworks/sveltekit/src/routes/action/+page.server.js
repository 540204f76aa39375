export const actions = {
  default() {
    throw new Error('failed in action')
  },
}
