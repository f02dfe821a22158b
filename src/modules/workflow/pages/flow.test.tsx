import '@testing-library/jest-dom/vitest'
import '../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Said, type Seen, wire } from '../../../../tests/helper/screens-wire.ts'

vi.mock(import('../../../screens/candidate/encrypted.ts'), () => ({
  encrypted: async texts => ({ keyId: 'k', texts: texts.map(text => `sealed ${text}`) }),
}))

const { ClaimPage, FollowPage, ManagerPage, StartPage, TodoPage } = await import('./FlowPages.tsx')
const { reloadRights } = await import('../../../screens/providers/rights.ts')

const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <MemoryRouter>{children}</MemoryRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )

const row = {
  title: '王芳的年假',
  processDefinitionName: '年假',
  category: 1,
  processInstanceId: '5',
  businessId: '6',
  taskId: '9',
}
const deployment = { id: '1', processDefinitionName: '年假', key: 'leave', category: 1, version: 3, suspensionState: 1 }
const words: Record<string, string> = { flow: '请假流程', flow_state: '激活', flow_run: '运行中' }

/** Lists of one row; what is done with it is answered as told. */
const answers = (one: object, acts: Record<string, Said> = {}) => {
  wire.answer = ({ path, query }: Seen) => {
    if (path.endsWith('-list') || path.endsWith('/list')) return { data: { records: [one], total: 1 } }
    if (path.includes('/dictionary'))
      return { data: [{ dictKey: '1', dictValue: words[String(query.code)] ?? '', sort: 1, remark: 'leave' }] }
    return acts[path] ?? { data: {} }
  }
}
const sent = (path: string) => wire.seen.filter(one => one.path.endsWith(path))

const codes = ['work_claim_act', 'flow_follow_delete', 'flow_manager_change', 'flow_manager_delete']
beforeAll(async () => {
  wire.answer = ({ path }) => ({ data: path.endsWith('buttons') ? codes.map(code => ({ code })) : [] })
  await reloadRights()
})
beforeEach(() => {
  wire.seen = []
})

test('a list without tasks says so', async () => {
  wire.answer = () => ({ data: { records: [], total: 0, size: 10, current: 1, pages: 0 } })
  shown(<TodoPage />)
  expect(await screen.findByText('没有等您办理的任务')).toBeVisible()
})

test('processes that can be started lead to their form', async () => {
  answers({ ...deployment, processDefinitionId: '1' })
  shown(<StartPage />)
  for (const text of ['年假', '请假流程']) expect(await screen.findByText(text)).toBeVisible()
  const way = await screen.findByRole('link', { name: '发起' })
  expect(way).toHaveAttribute('href', '/work/process/leave/form/1')
  expect(screen.queryByRole('button', { name: '挂起流程' })).toBeNull()
})

test('a task is claimed, and the list asked for anew', async () => {
  answers(row)
  shown(<ClaimPage />)
  await userEvent.click(await screen.findByRole('button', { name: '签收' }))
  await waitFor(() => expect(sent('claim-list')).toHaveLength(2))
  expect(sent('claim-task').map(one => one.query)).toEqual([{ taskId: '9' }])
})

test('a run is ended for a reason and not without', async () => {
  answers({ ...row, status: 1 })
  shown(<FollowPage />)
  await userEvent.click(await screen.findByRole('button', { name: '终止' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByRole('button', { name: '终止' })).toBeDisabled()
  await userEvent.type(within(dialog).getByLabelText('终止原因'), '调离')
  await userEvent.click(within(dialog).getByRole('button', { name: '终止' }))
  await waitFor(() => expect(sent('delete-process-instance')).toHaveLength(1))
  expect(sent('delete-process-instance')[0]?.query).toEqual({ processInstanceId: '5', deleteReason: '调离' })
})

test('what is over is not ended', async () => {
  answers({ ...row, status: 2 })
  shown(<FollowPage />)
  expect(await screen.findByText('年假')).toBeVisible()
  expect(screen.queryByRole('button', { name: '终止' })).toBeNull()
})

test('a deployment of which something runs is taken away with the password', async () => {
  answers(deployment, { '/blade-flow/manager/delete-deployment': { code: 29003, msg: '存在关联数据，不能删除' } })
  shown(<ManagerPage />)
  expect(await screen.findByText('激活')).toBeVisible()
  await userEvent.click(await screen.findByRole('button', { name: '删除' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: '删除' }))
  await userEvent.type(await within(dialog).findByLabelText('您的登录密码'), 'geheim')
  answers(deployment)
  await userEvent.click(within(dialog).getByRole('button', { name: '删除' }))
  await waitFor(() => expect(sent('delete-deployment')).toHaveLength(2))
  expect(sent('delete-deployment').map(one => [one.query, one.body])).toEqual([
    [{ deploymentIds: '1' }, {}],
    [{ deploymentIds: '1' }, { cascade: true, password: 'sealed geheim', keyId: 'k' }],
  ])
})
