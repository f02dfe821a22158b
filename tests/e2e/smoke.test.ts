import { expect, test } from 'vitest'
import { half, lookAtScreens } from './every-screen.ts'
import { screens } from './screens.ts'
import { sharedWorld } from './world.ts'

const shared = sharedWorld()

// All screens at a desk, half of them on a phone, barriers looked for once at each: `npm run axe` looks at all of them
// everywhere, which takes a quarter of an hour.
test('every screen opens without a complaint, bars nobody and speaks one language: desk, en, dark', async () => {
  const pass = { size: 'desk', language: 'en', colorScheme: 'dark', opens: screens, looks: half(1) } as const
  expect(await lookAtScreens(shared.world, pass)).toEqual({})
})
