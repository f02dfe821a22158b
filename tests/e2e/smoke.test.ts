import { expect, test } from 'vitest'
import { half, lookAtScreens } from './every-screen.ts'
import { sharedWorld } from './world.ts'

const shared = sharedWorld()

// Half of the screens at a desk, the others on a phone: `npm run test:long` opens all of them at both, and `npm run axe` looks
// at all of them everywhere for what bars people, which takes a quarter of an hour.
test('every second screen opens without a complaint, bars nobody and speaks one language: desk, en, dark', async () => {
  const [opens, looks] = [half(1), half(1)]
  expect(
    await lookAtScreens(shared.world, { size: 'desk', language: 'en', colorScheme: 'dark', opens, looks }),
  ).toEqual({})
})
