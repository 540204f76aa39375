import { defineAction } from 'astro:actions'
import { reportAction } from 'sixpane/astro'

export const server = {
  pay: defineAction({
    accept: 'form',
    handler: reportAction(
      () => {
        throw new Error('failed in action')
      },
      { service: 'shop' },
    ),
  }),
}
