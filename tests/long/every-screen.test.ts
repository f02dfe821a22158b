import { expect, test } from 'vitest'
import { lookAtScreens } from '../e2e/every-screen.ts'
import { screens } from '../e2e/screens.ts'
import { sharedWorld } from '../e2e/world.ts'

const shared = sharedWorld()

// `npm test` opens each of them once, at one of these.
test.each([
  { size: 'desk', language: 'en', colorScheme: 'dark' },
  { size: 'phone', language: 'zh', colorScheme: 'light' },
] as const)(
  'every screen opens without a complaint and speaks one language: $size, $language, $colorScheme',
  async pass => {
    expect(await lookAtScreens(shared.world, { ...pass, opens: screens, looks: [] })).toEqual({})
  },
)
