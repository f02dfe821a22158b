import { expect, test } from 'vitest'
import { half, lookAtScreens } from '../e2e/every-screen.ts'
import { screens } from '../e2e/screens.ts'
import { sharedWorld } from '../e2e/world.ts'

const shared = sharedWorld()

// `npm test` opens some of them, at one of these. What bars people is looked for once at each: `npm run axe` does so everywhere.
test.each([
  { size: 'desk', language: 'en', colorScheme: 'dark', looks: half(1) },
  { size: 'phone', language: 'zh', colorScheme: 'light', looks: half(0) },
] as const)(
  'every screen opens without a complaint, bars nobody and speaks one language: $size, $language, $colorScheme',
  async pass => {
    expect(await lookAtScreens(shared.world, { ...pass, opens: screens })).toEqual({})
  },
)
