import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '../../src/platform/config/config.ts'
import { launchBrowser, sizes } from '../../tests/e2e/browser.ts'
import { photo } from '../../tests/e2e/journey/candidate.ts'
import { beyond } from './figures.ts'
import { signIn } from './pages.ts'
import { type Running, startProduct } from './servers.ts'

/** Times that each photo is given. */
const turns = Number(process.env.TURNS ?? 5)

let folder: string
let product: Running
let browser: Browser
let page: Page
const lines: string[] = []

interface OpenExam {
  examId: string
  phases: string[]
  mySign: object | '' | null
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
  browser = await launchBrowser()
  product = await startProduct(path.join(folder, 'data'))
  const { headers, storageState } = await signIn(browser, product.url, 'kaosheng', demoPassword)
  const ask = async (address: string) =>
    (await (await fetch(`${product.url}/api/blade-signup/signup/${address}`, { headers })).json()).data
  const { records }: { records: OpenExam[] } = await ask('examList?size=50')
  const exam = records.find(one => one.phases.includes('报名中') && !one.mySign)
  if (!exam) throw new Error('no exam is open to the candidate')
  const { positions } = await ask(`getExamInfoOrSignUpInfo?examId=${exam.examId}`)
  const context = await browser.newContext({ locale: 'zh-CN', ...sizes.phone, storageState })
  page = await context.newPage()
  const form = `${product.url}/signup/form/${exam.examId}`
  await page.goto(`${form}?code=${positions[0].code}`)
  await page.getByRole('heading', { name: '报名须知' }).waitFor()
  await page.goto(`${form}?step=3`)
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${lines.join('\n')}\n`)
})

const crop = () => page.getByRole('dialog', { name: '裁剪照片' })

/** Gives a file to the slot of the photo, waits for what shows, and says how long that took and how long the page stood still at most. */
async function given(name: string, buffer: Buffer, shows: () => Promise<unknown>) {
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: '选择照片' }).click()
  const chooser = await chosen
  const heart = await page.evaluateHandle(() => {
    const at = { longest: 0, last: performance.now() }
    const beat = setInterval(() => {
      const now = performance.now()
      at.longest = Math.max(at.longest, now - at.last - 5)
      at.last = now
    }, 5)
    const stop = (): number => {
      clearInterval(beat)
      return at.longest
    }
    return { stop }
  })
  const began = performance.now()
  await chooser.setFiles({ name, mimeType: 'image/jpeg', buffer })
  await shows()
  const time = performance.now() - began
  const frozen = await heart.evaluate(self => self.stop())
  await page.keyboard.press('Escape')
  await crop().waitFor({ state: 'hidden' })
  return { time, frozen }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function measured(name: string, buffer: Buffer, shows: () => Promise<unknown>) {
  const all = []
  for (let turn = 0; turn < turns; turn++) all.push(await given(name, buffer, shows))
  const found = { time: median(all.map(one => one.time)), frozen: median(all.map(one => one.frozen)) }
  lines.push(
    `${name}: shown after ${found.time.toFixed(0)} ms, the page stood still for ${found.frozen.toFixed(0)} ms at most`,
  )
  return found
}

test('a photo of 12 megapixels can be cropped, and the page goes on meanwhile', async () => {
  const { time, frozen } = await measured('photo.heic', photo, () => crop().locator('img').waitFor())
  expect(beyond({ photo: time, 'photo.frozen': frozen })).toEqual([])
})

test('a damaged one is said to be so', async () => {
  const damaged = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40_000, 7)])
  const { time } = await measured('damaged.jpg', damaged, () => crop().getByText('这张照片无法读取').waitFor())
  expect(beyond({ 'photo.damaged': time })).toEqual([])
})
