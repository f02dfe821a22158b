import { beforeEach, expect, test, vi } from 'vitest'
import { ok, type Reply, type Sent, tokens, wired } from '../../tests/helper/wire.ts'

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => vi.useRealTimers()
})

/** What the server has kept, and whether it can be reached. */
const server = { kept: {} as Record<string, object>, isThere: true, held: undefined as Promise<void> | undefined }

async function answer({ path, data }: Sent): Promise<Reply> {
  if (!server.isThere) return 'unreachable'
  if (path.endsWith('/list')) {
    const kept = Object.entries(server.kept).map(([name, value]) => ({ name, value }))
    await server.held
    return ok(kept)
  }
  for (const { name, value } of JSON.parse(String(data)).changes)
    server.kept[name] = Object.fromEntries(
      Object.entries({ ...server.kept[name], ...value }).filter(([, one]) => one !== null),
    )
  return ok({})
}

/** A window of a person on this device, begun anew. */
async function open(kept: typeof server.kept = {}) {
  Object.assign(server, { kept, isThere: true, held: undefined })
  return again()
}

async function again() {
  const wire = await wired(answer)
  wire.session.begin(tokens('one', { user_id: '7' }))
  const { loadPreferences, changePreference } = await import('./preferences.ts')
  const { renderHook } = await import('@testing-library/react')
  const { useTableSettings } = await import('./table-settings.ts')
  const settings = () => renderHook(() => useTableSettings('param')).result.current
  const changes = () => wire.sent.filter(one => one.path.endsWith('/change'))
  return { ...wire, loadPreferences, changePreference, settings, changes }
}

test('settings of another device are here as soon as the server has answered, and at once the next time', async () => {
  const first = await open({ 'table.param': { columns: ['paramKey'] } })
  expect(first.settings()[0]).toEqual({ density: 'medium' })
  await first.loadPreferences()
  expect(first.settings()[0]).toEqual({ density: 'medium', columns: ['paramKey'] })
  const next = await again()
  expect(next.settings()[0].columns).toEqual(['paramKey'])
  expect(next.sent).toEqual([])
})

test('what changes while the settings are on their way stays, although the server had not taken it when it answered', async () => {
  const { loadPreferences, changePreference, settings } = await open({ 'table.param': { density: 'small' } })
  let arrive: () => void = () => undefined
  server.held = new Promise<void>(resolve => {
    arrive = resolve
  })
  const loading = loadPreferences()
  await vi.advanceTimersByTimeAsync(10)
  changePreference('table.param', { columns: ['a'] })
  await vi.advanceTimersByTimeAsync(1100)
  expect(server.kept['table.param']).toEqual({ density: 'small', columns: ['a'] })
  arrive()
  await loading
  expect(settings()[0]).toEqual({ density: 'small', columns: ['a'] })
})

test('changes of a second are sent together, and only what has changed', async () => {
  const { loadPreferences, settings, changes } = await open({ 'table.param': { density: 'small' } })
  await loadPreferences()
  const [now, keep] = settings()
  keep({ ...now, columns: ['a'] })
  keep({ ...now, columns: ['a', 'b'] })
  await vi.advanceTimersByTimeAsync(900)
  expect(changes()).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(changes().map(one => JSON.parse(String(one.data)))).toEqual([
    { changes: [{ name: 'table.param', value: { columns: ['a', 'b'] } }] },
  ])
  settings()[1]({ density: 'medium' })
  await vi.advanceTimersByTimeAsync(1100)
  expect(server.kept).toEqual({ 'table.param': { density: 'medium' } })
})

test('of two windows neither undoes what the other changed', async () => {
  const one = await open()
  await one.loadPreferences()
  const other = await again()
  await other.loadPreferences()
  one.changePreference('table.param', { columns: ['a'] })
  other.changePreference('table.param', { density: 'large' })
  expect(one.settings()[0]).toEqual({ density: 'large', columns: ['a'] })
  await vi.advanceTimersByTimeAsync(1100)
  expect(server.kept).toEqual({ 'table.param': { columns: ['a'], density: 'large' } })
})

test('what the server could not take is kept here, also over a reload, and sent later', async () => {
  const { loadPreferences, changePreference, changes } = await open({ window: { folded: true } })
  await loadPreferences()
  server.isThere = false
  changePreference('window', { folded: false })
  await vi.advanceTimersByTimeAsync(1100)
  expect(changes()).toHaveLength(1)
  server.isThere = true
  const next = await again()
  await next.loadPreferences()
  await vi.advanceTimersByTimeAsync(100)
  expect(server.kept).toEqual({ window: { folded: false } })
})

test('what was kept on this device alone is taken over once, where the person has nothing yet', async () => {
  localStorage.setItem('juxian-table-7-job-info', '{"density":"small"}')
  localStorage.setItem('juxian-table-7-param', '{"density":"small"}')
  localStorage.setItem('juxian-table-8-param', '{"density":"large"}')
  localStorage.setItem('juxian-folded', '1')
  const { loadPreferences, settings } = await open({ 'table.param': { density: 'large' } })
  await loadPreferences()
  await vi.advanceTimersByTimeAsync(100)
  expect(server.kept).toEqual({
    'table.param': { density: 'large' },
    'table.job-info': { density: 'small' },
    window: { folded: true },
  })
  expect(settings()[0].density).toBe('large')
  expect(Object.keys(localStorage).filter(name => /^juxian-(table|folded)/.test(name))).toEqual([
    'juxian-table-8-param',
  ])
})
