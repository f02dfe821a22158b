import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DRAFTS, session } from '../../../../platform/http/browser/session.ts'
import { type Draft, DraftKeeper, readDraft } from './draft.ts'

const LONG = 1_000
const draft: Draft = { xml: '<a/>', category: '1', version: 3 }
let keeper: DraftKeeper

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  keeper = new DraftKeeper('m')
})
afterEach(() => vi.useRealTimers())

test('the last of several changes is kept when the drawing rests', async () => {
  keeper.changed(async () => ({ ...draft, xml: '<b/>' }))
  keeper.changed(async () => draft)
  expect(readDraft('m')).toBeUndefined()
  await vi.advanceTimersByTimeAsync(LONG)
  expect(readDraft('m')).toEqual(draft)
})

test('what was dropped does not come back: neither what waits nor what is just being read', async () => {
  keeper.changed(async () => draft)
  keeper.drop()
  await vi.advanceTimersByTimeAsync(LONG)
  expect(readDraft('m')).toBeUndefined()
  let answer: (read: Draft) => void = () => {}
  keeper.changed(
    () =>
      new Promise(resolve => {
        answer = resolve
      }),
  )
  await vi.advanceTimersByTimeAsync(LONG)
  keeper.drop()
  answer(draft)
  await vi.advanceTimersByTimeAsync(LONG)
  expect(readDraft('m')).toBeUndefined()
})

test('what was drawn on a new model while it was saved is kept under its id', async () => {
  keeper.changed(async () => draft)
  await keeper.moveTo('7')
  await vi.advanceTimersByTimeAsync(LONG)
  expect([readDraft('m'), readDraft('7')]).toEqual([undefined, draft])
  keeper.drop()
  await keeper.moveTo('8')
  expect(readDraft('8')).toBeUndefined()
})

test('nothing is kept for whoever has signed out meanwhile', async () => {
  session.begin({ access_token: 'a', refresh_token: 'r', user_id: '1' })
  keeper = new DraftKeeper('m')
  keeper.changed(async () => draft)
  session.clear()
  await vi.advanceTimersByTimeAsync(LONG)
  expect(Object.keys(localStorage).filter(name => name.startsWith(DRAFTS))).toEqual([])
})
