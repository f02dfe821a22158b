import '@testing-library/jest-dom/vitest'
import '../../tests/helper/screens-page.tsx'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wire } from '../../tests/helper/screens-wire.ts'

const taken = vi.hoisted(() => ({ answers: [] as (string | null)[] }))
vi.mock(import('../platform/http/browser/transfer.ts'), async original => ({
  ...(await original()),
  takeExport: async () => taken.answers.shift() ?? null,
}))

const { askExports, useExports } = await import('./exports.ts')
const { default: ExportTray } = await import('../web/chrome/ExportTray.tsx')
const { ExportButton } = await import('./ExportButton.tsx')

const Where = () => <p>{useLocation().pathname}</p>
const Tray = () => <ExportTray tasks={useExports()} />
const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <MemoryRouter>
          {children}
          <Where />
        </MemoryRouter>
      </App>
    </ConfigProvider>,
  )

const task = (taskStatus: number, more: object = {}) => ({
  id: '7',
  title: '学校',
  taskStatus,
  rowNum: 500,
  totalNum: 9000,
  failReason: '',
  ...more,
})
const news = (...tasks: object[]) => {
  wire.answer = ({ path }) => ({ data: path.endsWith('/news') ? tasks : {} })
}

beforeEach(() => {
  wire.seen = []
})
afterEach(async () => {
  news()
  await act(askExports)
})

test('while an export is made the server is asked again; then the person is told, once, with the way to the file', async () => {
  shown(<Tray />)
  news(task(1))
  await act(askExports)
  expect(screen.getByRole('button', { name: '正在后台导出' })).toBeInTheDocument()
  news(task(2))
  expect(await screen.findByText('导出完成：学校')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: '1 个导出文件可以下载' })).toBeInTheDocument()
  const asked = wire.seen.length
  await act(askExports)
  expect([wire.seen.length, screen.getAllByText('导出完成：学校').length]).toEqual([asked + 1, 1])
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} }))
  await userEvent.click(screen.getByRole('button', { name: '下载' }))
  await waitFor(() => expect(wire.paths()).toContain('/blade-exam/exporttask/download?id=7'))
})

test('what ended before this window was opened is counted, not announced', async () => {
  news(task(2))
  await act(askExports)
  shown(<Tray />)
  expect(screen.getByRole('button', { name: '1 个导出文件可以下载' })).toBeInTheDocument()
  expect(screen.queryByText('导出完成：学校')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '1 个导出文件可以下载' }))
  expect(screen.getByText('/exam/exporttask')).toBeInTheDocument()
})

test('an export that failed says why', async () => {
  shown(<Tray />)
  news(task(0))
  await act(askExports)
  news(task(3, { failReason: '没有导出权限' }))
  expect(await screen.findByText('导出失败：学校')).toBeInTheDocument()
  expect(screen.getByText('没有导出权限')).toBeInTheDocument()
})

test('the button of a list saves a small export, and leads to the exports when it is made in the background', async () => {
  const resource = { path: '/blade-school/school', title: '学校' } as never
  taken.answers = ['学校.xlsx', null]
  shown(<ExportButton resource={resource} filters={[]} />)
  await userEvent.click(screen.getByRole('button', { name: /导出/ }))
  expect(await screen.findByText('已导出 学校.xlsx')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: /导出/ }))
  await userEvent.click(await screen.findByRole('button', { name: '查看导出任务' }))
  expect(screen.getByText('/exam/exporttask')).toBeInTheDocument()
})
