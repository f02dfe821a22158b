import '../../../../../tests/helper/screens-page.tsx'
import { act, renderHook } from '@testing-library/react'
import axios, { AxiosError } from 'axios'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ExamForm } from './exam-form.ts'

/** The other end: what arrived, and what is answered to it. */
const server = {
  got: [] as { body: Record<string, unknown>; key: string }[],
  answer: (_at: number): 'unreachable' | 'away' | { code: number; data?: unknown; msg?: string } => ({ code: 200 }),
}

axios.defaults.adapter = async config => {
  const key = String(config.headers.get('Idempotency-Key'))
  server.got.push({ body: JSON.parse(String(config.data)), key })
  const said = server.answer(server.got.length - 1)
  if (said === 'unreachable') throw new AxiosError('Network Error', 'ERR_NETWORK', config)
  if (said === 'away') {
    const response = { data: {}, status: 503, statusText: '', headers: { 'retry-after': '2' }, config }
    throw new AxiosError('Unavailable', AxiosError.ERR_BAD_RESPONSE, config, null, response)
  }
  const status = said.code === 200 ? 200 : 400
  return { data: { success: status === 200, ...said }, status, statusText: '', headers: {}, config }
}

// Loaded after the wire is in place: http takes its adapter when it begins.
const { useSheet } = await import('./use-sheet.ts')
const { openParts } = await import('./sheet.ts')
const { readLocal } = await import('./local-draft.ts')

const saved = (version: number) => ({ code: 200, data: { id: '7', version, signStatus: 0, examine: 0 } })

const blankForm = {
  exam: { examId: '1' },
  consentVersion: 'c1',
  items: [],
  groups: [],
  files: [],
  positions: [],
  dicts: {},
  mySignup: '',
  canEdit: true,
  editScope: [],
} as unknown as ExamForm

const open = (form = blankForm) => renderHook(() => useSheet(form, [])).result

beforeEach(() => {
  localStorage.clear()
  server.got = []
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  return () => online.mockRestore()
})

afterEach(() => {
  server.answer = () => ({ code: 200 })
})

test('what is typed without a network is kept, found again after a reload, and sent when it is back', async () => {
  server.answer = () => 'unreachable'
  const first = open()
  act(() => first.current.change({ content: { major: '护理学' } }))
  await act(() => first.current.save())
  expect(first.current.saving).toBe('offline')
  expect(readLocal('1')?.sheet.content).toEqual({ major: '护理学' })

  const second = open()
  expect(second.current.sheet.content).toEqual({ major: '护理学' })
  server.answer = () => saved(1)
  await act(() => second.current.save())
  expect(second.current.saving).toBe('saved')
  expect(readLocal('1')).toBeUndefined()
})

test('what is typed stays, here and on the device, when the server was away for too long, and is sent with the next save', async () => {
  vi.useFakeTimers()
  server.answer = () => 'away'
  const state = open()
  act(() => state.current.change({ content: { major: '护理学' } }))
  await act(async () => {
    const saving = state.current.save()
    await vi.advanceTimersByTimeAsync(41_000)
    await saving
  })
  vi.useRealTimers()
  expect(server.got.length).toBeGreaterThan(3)
  expect(state.current.saving).toBe('offline')
  expect(state.current.sheet.content).toEqual({ major: '护理学' })
  expect(readLocal('1')?.sheet.content).toEqual({ major: '护理学' })
  server.answer = () => saved(1)
  await act(() => state.current.save())
  expect(state.current.saving).toBe('saved')
  expect(new Set(server.got.map(one => one.key)).size).toBe(1)
})

test('a save whose answer was lost is asked for again with its key before the next one, which stands on its version', async () => {
  server.answer = at => (at === 0 ? 'unreachable' : saved(at))
  const state = open()
  act(() => state.current.change({ content: { major: '护理' } }))
  await act(() => state.current.save())
  act(() => state.current.change({ content: { major: '护理学' } }))
  await act(() => state.current.save())
  const [lost, again, next] = server.got
  expect(server.got).toHaveLength(3)
  expect(again).toEqual(lost)
  expect(next?.key).not.toBe(lost?.key)
  expect(next?.body).toMatchObject({ id: '7', version: 1, content: { major: '护理学' } })
})

test('saves follow one another: the second stands on the version of the first', async () => {
  server.answer = at => saved(at + 1)
  const state = open()
  act(() => state.current.change({ content: { major: '甲' } }))
  await act(() => Promise.all([state.current.save(), state.current.save()]))
  expect(server.got.map(one => one.body.version)).toEqual([undefined, 1])
})

test('a save refused because of a newer version waits for the person, then goes on with what was chosen', async () => {
  server.answer = at => (at === 0 ? { code: 29002, msg: '数据已被他人修改，请刷新' } : saved(10))
  const state = open()
  act(() => state.current.change({ content: { major: '甲' } }))
  await act(() => state.current.save())
  expect(state.current.saving).toBe('conflict')
  act(() => state.current.settle(state.current.sheet, { id: '7', version: 9 }))
  await act(() => state.current.save())
  expect(server.got[1]?.body).toMatchObject({ id: '7', version: 9, content: { major: '甲' } })
})

test('a refused hand-in loses nothing, and consent is neither kept nor given by us', async () => {
  server.answer = () => ({ code: 22005, msg: '该岗位报名人数已满' })
  const state = open()
  act(() => state.current.change({ content: { major: '甲' }, consent: true }))
  await act(() => state.current.submit().catch(() => undefined))
  expect(state.current.sheet.content).toEqual({ major: '甲' })
  expect(server.got[0]?.body).toMatchObject({ draft: 0, consentVersion: 'c1' })
  expect(open().current.sheet).toMatchObject({ content: { major: '甲' }, consent: false })
})

test('of a returned sign-up only what was marked is open, with items that appear because of it', () => {
  const item = (itemCode: string, showWhen = {}) => ({ itemCode, itemName: itemCode, inputType: 1, showWhen })
  const items = [item('fresh'), item('unit', { fresh: ['0'] }), item('duty', { unit: ['x'] }), item('major')]
  const parts = openParts({ canEdit: true, editScope: ['item:fresh', 'file:diploma'], items })
  expect(items.map(one => parts.item(one.itemCode))).toEqual([true, true, true, false])
  expect([parts.file('diploma'), parts.file('photo'), parts.position]).toEqual([true, false, false])
})
