import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { go, screens, settle } from '../../tests/e2e/screens.ts'
import { speak, t } from '../../tests/e2e/words.ts'
import { type Opened, signIn } from '../../tests/e2e/world.ts'
import { type Address, candidatePages, type DemoWorld, exams, openDemo, openPages, staffPages, steps } from './demo.ts'
import { wear } from './looking.ts'
import { isAsked, nameOf, type Variant, variants } from './selection.ts'

/** Milliseconds in which a page has drawn what it was answered. */
const CALM = 800

const folder = path.resolve(import.meta.dirname, '../../test-results/shots')

let world: DemoWorld

beforeAll(async () => {
  world = await openDemo()
})
afterAll(() => world?.close())

/** Lists of staff, by the names of their resources. */
const lists = [
  'examination',
  'examitems',
  'examuser',
  'signup',
  'postreductionname',
  'payrecord',
  'payorder',
  'payrefund',
  'examinationticket',
  'result',
  'notice',
  'user',
  'sms',
  'mail',
  'wechat',
]

/** Where the list of a resource stands. */
function addressOf(name: string): string {
  const found = screens.find(one => one.name === name)
  if (!found) throw new Error(`There is no list of «${name}».`)
  return found.path
}

/** Something to take a picture of, under the name of the picture. */
interface Place {
  readonly name: string
  /** Account of the demonstration, or the name of the row that holds one; empty for who does not sign in. */
  readonly account: string
  readonly address: Address
  /** What is opened on the page first. */
  open?(opened: Opened): Promise<void>
}

/** Opens the panel of the bell. */
async function openBell({ page }: Opened): Promise<void> {
  // What a candidate has to confirm lies above the page, as soon as it has come.
  const above = page.locator('.ant-modal-wrap')
  await page.addLocatorHandler(above, () => page.keyboard.press('Escape'))
  await page
    .getByRole('banner')
    .getByRole('button', { name: new RegExp(`^${t('消息')}`) })
    .click()
  await page.removeLocatorHandler(above)
}

const placesOf = (account: string, pages: Readonly<Record<string, Address | undefined>>): Place[] =>
  Object.entries(pages).map(([name, address = '']) => ({ name, account, address }))

/** The workspace of an exam as a draft, released and closed; the lists; what staff make by hand; and the home of candidates. */
const places: readonly Place[] = [
  ...placesOf('', {
    'public-login': openPages.login,
    'public-index': openPages.index,
    'public-exam': openPages.exam,
  }),
  ...placesOf('admin', {
    home: '/wel/index',
    ...Object.fromEntries(
      Object.entries(exams).map(([name, row]): [string, Address] => [`exam-${name}`, of => `/exam/${of[row]}`]),
    ),
    'exam-signups': of => `/exam/${of.open}/signups`,
    'exam-staff': staffPages.matrix,
    'exam-log': staffPages.log,
    'exam-archive': staffPages.archive,
    inbox: staffPages.inbox,
    message: staffPages.message,
    ...Object.fromEntries(lists.map(name => [`list-${name}`, addressOf(name)])),
    'form-builder': staffPages.builder,
    seats: '/ticket/allot',
    statistics: '/statistics/index',
    review: staffPages.review,
  }),
  { name: 'bell-admin', account: 'admin', address: '/wel/index', open: openBell },
  ...steps.map((step): Place => ({ name: `candidate-${step}`, account: step, address: '/wel/index' })),
  ...placesOf('kaosheng', {
    'candidate-new': '/wel/index',
    positions: candidatePages.exam,
    'candidate-inbox': candidatePages.notices,
    'candidate-message': candidatePages.message,
  }),
  { name: 'bell-kaosheng', account: 'kaosheng', address: '/wel/index', open: openBell },
]

/** Opens a window in which somebody has signed in. */
async function enter(account: string, { size, language, schemes }: Variant): Promise<Opened> {
  const opened = await world.open(size, { colorScheme: schemes[0] })
  if (account === '') await opened.page.addInitScript(chosen => localStorage.setItem('juxian-lang', chosen), language)
  else await signIn(world, opened.page, world.rows[account] ?? account)
  return opened
}

/** Takes a picture of what is open in every scheme. */
async function take(opened: Opened, name: string, variant: Variant): Promise<void> {
  await settle(opened)
  // What a page shows may make it ask for more, such as the pictures of what it lists.
  await opened.page.waitForTimeout(CALM)
  await settle(opened)
  for (const scheme of variant.schemes) {
    await wear(opened.page, scheme)
    await opened.page.screenshot({ path: path.join(folder, nameOf(variant, scheme), `${name}.png`) })
  }
}

describe.each(variants)('pictures: $size, $language, $schemes', variant => {
  const windows = new Map<string, Opened>()

  for (const { name, account, address, open } of places.filter(one => isAsked(one.name))) {
    test(name, async () => {
      speak(variant.language)
      const opened = windows.get(account) ?? (await enter(account, variant))
      windows.set(account, opened)
      try {
        const to = typeof address === 'string' ? address : address(world.rows)
        expect(to).not.toBe('')
        if (account === '') await opened.page.goto(to)
        else await go(opened, to)
        await settle(opened)
        await open?.(opened)
        await take(opened, name, variant)
      } catch (error) {
        // What was left open would lie above the next page.
        windows.delete(account)
        await opened.page.context().close()
        throw error
      }
    })
  }
})
