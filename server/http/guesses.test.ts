import t from 'tap'
import { createGuesses } from './guesses.ts'

t.test('an address that tries many secrets has to wait, and no other', async t => {
  let nowMs = 0
  const guesses = createGuesses(() => nowMs)
  for (let guess = 0; guess < 1000 && guesses.waitMs('a') === 0; guess++) guesses.wrong('a', `guess ${guess}`)
  const waitMs = guesses.waitMs('a')
  t.ok(waitMs > 60_000, 'for minutes')
  t.equal(guesses.waitMs('b'), 0)
  nowMs += waitMs
  t.equal(guesses.waitMs('a'), 0)
})

t.test('the same wrong secret over and over is one guess', async t => {
  const guesses = createGuesses()
  for (let time = 0; time < 1000; time++) guesses.wrong('a', 'a revoked token')
  t.equal(guesses.waitMs('a'), 0)
})

t.test('addresses without number take no memory without bound: the oldest are forgotten', async t => {
  const guesses = createGuesses()
  const guessMuch = (address: string) => {
    for (let guess = 0; guess < 100; guess++) guesses.wrong(address, `guess ${guess}`)
  }
  guessMuch('first')
  guessMuch('second')
  for (let index = 0; index < 9999; index++) guesses.wrong(`other ${index}`, 'guess')
  t.equal(guesses.waitMs('first'), 0)
  t.ok(guesses.waitMs('second') > 0)
})
