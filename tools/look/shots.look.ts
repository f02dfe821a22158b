import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { sizes } from '../../tests/e2e/browser.ts'
import { go, screens, settle } from '../../tests/e2e/screens.ts'
import { speak, t } from '../../tests/e2e/words.ts'
import { type Opened, signIn } from '../../tests/e2e/world.ts'
import { type DemoWorld, openDemo } from './demo.ts'

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
]

/** Where the list of a resource stands. */
function addressOf(name: string): string {
  const found = screens.find(one => one.name === name)
  if (!found) throw new Error(`There is no list of «${name}».`)
  return found.path
}

/** What a person looks at, by the name of the picture. */
type Tour = readonly [account: string, pages: Readonly<Record<string, string>>]

/** The workspace of an exam as a draft, released and closed; the lists; what staff make by hand; and the home of candidates. */
function tours(): Tour[] {
  const { exams, candidates, staffPages, candidatePages } = world
  return [
    [
      'admin',
      {
        home: '/wel/index',
        ...Object.fromEntries(Object.entries(exams).map(([name, id]) => [`exam-${name}`, `/exam/${id}`])),
        'exam-signups': `/exam/${exams.released}/signups`,
        'exam-staff': staffPages.matrix ?? '',
        'exam-log': staffPages.log ?? '',
        'exam-archive': staffPages.archive ?? '',
        inbox: staffPages.inbox ?? '',
        message: staffPages.message ?? '',
        ...Object.fromEntries(lists.map(name => [`list-${name}`, addressOf(name)])),
        'form-builder': staffPages.builder ?? '',
        seats: '/ticket/allot',
        statistics: '/statistics/index',
        review: staffPages.review ?? '',
      },
    ],
    ...Object.entries(candidates).map(
      ([stage, account]): Tour => [account, { [`candidate-${stage}`]: candidatePages.home ?? '' }],
    ),
    [
      'kaosheng',
      {
        'candidate-new': '/wel/index',
        positions: candidatePages.exam ?? '',
        'candidate-inbox': candidatePages.notices ?? '',
        'candidate-message': candidatePages.message ?? '',
      },
    ],
  ]
}

const variants = (['desk', 'phone'] as const).flatMap(size =>
  (['light', 'dark'] as const).flatMap(scheme =>
    (['zh', 'en'] as const).map((language): [keyof typeof sizes, 'light' | 'dark', 'zh' | 'en'] => [
      size,
      scheme,
      language,
    ]),
  ),
)

async function take(opened: Opened, name: string): Promise<void> {
  await settle(opened)
  // What a page shows may make it ask for more, such as the pictures of what it lists.
  await opened.page.waitForTimeout(CALM)
  await settle(opened)
  await opened.page.screenshot({ path: path.join(folder, `${name}.png`) })
}

describe.each(variants)('pictures: %s, %s, %s', (size, colorScheme, language) => {
  const name = (page: string): string => `${size}-${colorScheme}-${language}/${page}`

  test('of pages that nobody signs in for', async () => {
    speak(language)
    const opened = await world.open(size, { colorScheme })
    await opened.page.addInitScript(chosen => localStorage.setItem('juxian-lang', chosen), language)
    for (const page of ['login', 'index', 'exam'] as const) {
      await opened.page.goto(world.openPages[page] ?? '')
      await take(opened, name(`public-${page}`))
    }
  })

  test('of what people do', async () => {
    speak(language)
    for (const [account, pages] of tours()) {
      expect(account).not.toBe('')
      const opened = await world.open(size, { colorScheme })
      await signIn(world, opened.page, account)
      for (const [page, address] of Object.entries(pages)) {
        await go(opened, address)
        await take(opened, name(page))
      }
      await go(opened, '/wel/index')
      await settle(opened)
      // What a candidate has to confirm lies above the page.
      await opened.page.keyboard.press('Escape')
      await opened.page
        .getByRole('banner')
        .getByRole('button', { name: new RegExp(`^${t('消息')}`) })
        .click()
      await take(opened, name(`bell-${account}`))
      await opened.page.context().close()
    }
  })
})
