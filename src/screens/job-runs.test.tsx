import { Refine } from '@refinedev/core'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Resource } from '#engine'
import { jobInfo } from '#resources/jobs/job-info'
import { jobInstance } from '#resources/jobs/job-instance'
import { dictionaries } from '#schemas'
import '../../tests/helper/screens-page.tsx'
import { type Said, type Seen, wire } from '../../tests/helper/screens-wire.ts'
import ListScreen from './ListScreen.tsx'
import { dataProvider } from './providers/data.ts'
import { useNotificationProvider } from './providers/notification.ts'

const paths = new Set<string>()

vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  useRights: () => ({ rights: { routes: [], names: new Map(), paths, permissions: {} } }),
  usePermissions: () => ({ job_info: true, job_info_view: true, job_instance: true, job_instance_view: true }),
}))

const job = { id: '5', jobName: '对账', enable: 1, executeType: 1, processorType: 1, lastStatus: 4 }
const failure = `HTTP 500 ${'很长的说明'.repeat(20)}`
const run = {
  id: '7',
  jobInfoId: '5',
  jobInfoIdName: '对账',
  state: 4,
  tries: 2,
  trigger: 2,
  userId: '3',
  userIdName: '张三',
  planTime: '2026-11-21 12:00:00',
  startTime: '2026-11-21 12:00:01',
  endTime: '2026-11-21 12:00:26',
  seconds: '25',
  result: failure,
}
const detail = { ...run, params: 'b=2' }

const wordsOf = (code: unknown) =>
  Object.entries(dictionaries.find(one => one.code === code)?.entries ?? {}).map(([dictKey, dictValue]) => ({
    dictKey,
    dictValue,
  }))

beforeEach(() => {
  paths.clear()
  paths.add('/job/instance')
  wire.seen.length = 0
  wire.answer = ({ path, query }: Seen): Said => {
    if (path.includes('/dictionary')) return { data: wordsOf(query.code) }
    if (path.endsWith('/detail')) return { data: path.includes('job-instance') ? detail : job }
    return { data: { records: [path.includes('job-instance') ? run : job], total: 1 } }
  }
})

function Place() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

function Console({ resource }: { resource: Resource }) {
  const notificationProvider = useNotificationProvider()
  return (
    <Refine
      dataProvider={dataProvider}
      notificationProvider={notificationProvider}
      options={{ disableTelemetry: true }}
    >
      <ListScreen resource={resource} />
      <Place />
    </Refine>
  )
}

/** Shows a list at an address. */
function show(resource: Resource, search = '') {
  history.replaceState(null, '', `/${search}`)
  render(
    <MemoryRouter>
      <App>
        <Console resource={resource} />
      </App>
    </MemoryRouter>,
  )
}

const asked = () =>
  wire.seen.filter(({ path }) => path.endsWith('/job-instance/page')).map(({ query }) => query.jobInfoId)

test('a job leads to its runs, and its detail holds them', async () => {
  show(jobInfo)
  await userEvent.click(await screen.findByRole('button', { name: '运行记录' }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/job/instance?jobInfoId=5'))
  await userEvent.click(screen.getByRole('button', { name: '查看' }))
  const drawer = await screen.findByRole('dialog')
  await within(drawer).findByRole('tab', { name: '运行记录' })
  await within(drawer).findByTitle('2026-11-21 12:00:01')
  expect(asked()).toEqual(['5'])
})

test('whoever may not open the list of runs has no button that leads there', async () => {
  paths.clear()
  show(jobInfo)
  await screen.findByRole('button', { name: '查看' })
  expect(screen.queryByRole('button', { name: '运行记录' })).toBeNull()
})

test('the list of runs begins with those of the job it was opened from; the outcome is whole in the detail', async () => {
  show(jobInstance, '?jobInfoId=5')
  const cell = async (text: string) => (await screen.findByText(text)).closest('td')
  expect([await cell('失败'), await cell('手动'), await cell('张三'), await cell('25')]).not.toContain(null)
  expect(asked()).toEqual(['5'])
  expect(screen.queryByText('b=2')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '查看' }))
  const drawer = await screen.findByRole('dialog')
  for (const text of ['b=2', failure, '手动']) await within(drawer).findByText(text)
})
