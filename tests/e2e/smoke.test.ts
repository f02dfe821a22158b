import { expect, test } from 'vitest'
import { lookAtScreens, some } from './every-screen.ts'
import { sharedWorld } from './world.ts'

const shared = sharedWorld()

// Some of the screens at a desk, others on a phone: `npm run test:long` opens all of them at both, and `npm run axe` looks
// at all of them everywhere for what bars people, which takes a quarter of an hour.
test('screens open without a complaint, bar nobody and speak one language: desk, en, dark', async () => {
  const [opens, looks] = [some(1), some(1)]
  expect(
    await lookAtScreens(shared.world, { size: 'desk', language: 'en', colorScheme: 'dark', opens, looks }),
  ).toEqual({})
})
