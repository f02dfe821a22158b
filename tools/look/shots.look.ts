import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { sizes } from '../../tests/e2e/browser.ts'
import { go, settle } from '../../tests/e2e/screens.ts'
import { signIn } from '../../tests/e2e/world.ts'
import { type DemoWorld, openDemo } from './demo.ts'

/** Milliseconds in which a page has drawn what it was answered. */
const CALM = 800

const folder = path.resolve(import.meta.dirname, '../../test-results/shots')

let world: DemoWorld

beforeAll(async () => {
  world = await openDemo()
})
afterAll(() => world?.close())

/** The pictures in order: name, who looks (nobody: not signed in), and the address. */
const shots = (): readonly (readonly [string, string | undefined, string | undefined])[] => [
  ['sign-in', undefined, world.openPages.login],
  ['public', undefined, world.openPages.index],
  ['home', 'kaowu', '/wel/index'],
  ['exams', 'kaowu', '/exam/examination'],
  ['form-builder', 'kaowu', world.staffPages.builder],
  ['seats', 'kaowu', '/ticket/allot'],
  ['statistics', 'kaowu', '/statistics/index'],
  ['waiting', 'chushen', '/examine/list'],
  ['review', 'chushen', world.staffPages.review],
  ['candidate', 'kaosheng', '/wel/index'],
  ['positions', 'kaosheng', world.candidatePages.exam],
  ['ticket', 'kaosheng', '/signup/ticket'],
]

test.each<[keyof typeof sizes, 'light' | 'dark']>([
  ['desk', 'light'],
  ['desk', 'dark'],
  ['phone', 'light'],
  ['phone', 'dark'],
])('twelve screens: %s, %s', async (size, colorScheme) => {
  let who: string | undefined
  let opened = await world.open(size, { colorScheme })
  let taken = 0
  for (const [name, account, address = ''] of shots()) {
    if (account && account !== who) {
      opened = await world.open(size, { colorScheme })
      await signIn(world, opened.page, account)
    }
    who = account
    if (account) await go(opened, address)
    else await opened.page.goto(address)
    // What a page shows may make it ask for more, such as the pictures of what it lists.
    await settle(opened)
    await opened.page.waitForTimeout(CALM)
    await settle(opened)
    taken += 1
    await opened.page.screenshot({
      path: path.join(folder, `${String(taken).padStart(2, '0')}-${name}-${size}-${colorScheme}.png`),
    })
  }
  expect(taken).toBe(12)
})
