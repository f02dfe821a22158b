import '@testing-library/jest-dom/vitest'
import '../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter, useNavigate } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../../../tests/helper/screens-wire.ts'

const { ReaderTable } = await import('./ReaderTable.tsx')
const { LatestNotices } = await import('../../desk/pages/LatestNotices.tsx')
const { HungFiles } = await import('./HungFiles.tsx')
const { default: FaqPage } = await import('./public/FaqPage.tsx')
const { MaterialViewer } = await import('../../tickets/pages/MaterialViewer.tsx')
const { sizeText } = await import('./size-text.ts')

const shown = (children: ReactNode, address = '/') =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient()}>
          <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )

beforeEach(() => {
  wire.seen = []
})

const calls = (path: string) => wire.seen.filter(one => one.path.endsWith(path))
/** What the first call of a path was given, in its address and its body. */
const given = (path: string) => calls(path).flatMap(({ query, body }) => ({ ...query, ...(body as object) }))[0]

test('sizes are said in the unit people know', () => {
  expect([0, 1, 2048, 1_500_000].map(sizeText)).toEqual(['', '1 KB', '2 KB', '1.4 MB'])
})

test('who has not read a notice comes first; each kind stands with its number', async () => {
  const counts = { total: 3, read: 2, unread: 1, sure: 1, unsure: 2 }
  wire.answer = ({ query }) => ({
    data: {
      records: [{ userId: '1', name: `${query.state}的人`, userType: 2, readTime: '', sureTime: '', sureState: 0 }],
      total: 1,
      counts,
    },
  })
  shown(<ReaderTable needSure={false} noticeId="7" />)
  expect(await screen.findByText('unread的人')).toBeVisible()
  await userEvent.click(screen.getByRole('tab', { name: '已确认 1' }))
  expect(await screen.findByText('sure的人')).toBeVisible()
  expect(calls('/readerList').at(-1)?.query).toMatchObject({ noticeId: '7', state: 'sure', current: 1 })
  expect(screen.queryByRole('button', { name: '导出' })).toBeNull()
})

/** Goes one step back. */
function Back() {
  const go = useNavigate()
  return (
    <button type="button" onClick={() => go(-1)}>
      back
    </button>
  )
}

test('the kind of readers, their name and the page stand in the address; a kind without any says so', async () => {
  const counts = { total: 12, read: 0, unread: 12, sure: 0, unsure: 12 }
  wire.answer = () => ({ data: { records: [], total: 0, counts } })
  const table = (
    <>
      <ReaderTable needSure={false} noticeId="7" />
      <Back />
    </>
  )
  const { unmount } = shown(table, '/notice/read?noticeId=7&chip=sure&name=王&current=2')
  expect(await screen.findByText('没有符合条件的数据')).toBeVisible()
  expect(calls('/readerList').at(-1)?.query).toMatchObject({ state: 'sure', name: '王', current: 2 })
  expect(screen.getByRole('searchbox', { name: '姓名' })).toHaveValue('王')
  await userEvent.click(screen.getByRole('button', { name: '清除筛选' }))
  expect(await screen.findByText('这条公告没有接收人')).toBeVisible()
  expect(screen.getByRole('tab', { name: '全部 12' })).toHaveAttribute('aria-selected', 'true')
  await userEvent.click(screen.getByRole('tab', { name: '已读 0' }))
  expect(await screen.findByText('「已读」下没有数据')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'back' }))
  expect(await screen.findByText('这条公告没有接收人')).toBeVisible()
  unmount()
  shown(table, '/notice/read?noticeId=7&chip=')
  expect(await screen.findByRole('tab', { name: '全部 12' })).toHaveAttribute('aria-selected', 'true')
})

test('a notice on the first page opens, and is read then', async () => {
  const line = {
    id: '7',
    title: '停电通知',
    releaseTime: '2026-11-20 09:00:00',
    needSure: 0,
    read: 0,
    sure: 0,
  } as const
  wire.answer = () => ({ data: { ...line, content: '<p>周日停电</p>', files: [] } })
  shown(<LatestNotices of={[line, { ...line, id: '8', title: '早先的通知', read: 1 }]} />)
  const dots = () => [...document.querySelectorAll('[data-unread]')].map(one => one.textContent)
  expect(dots()).toEqual(['停电通知'])
  await userEvent.click(screen.getByRole('button', { name: /停电通知/ }))
  expect(await screen.findByText('周日停电')).toBeInTheDocument()
  expect(dots()).toEqual([])
  expect(calls('/readNotice').map(one => one.query)).toEqual([{ noticeId: '7' }])
})

const row = (id: string, more: object = {}) => ({
  id,
  ticketId: id,
  name: `考生${id}`,
  ticketNo: `NO${id}`,
  unit: 'u',
  code: 'A',
  roomNo: '001',
  seatNo: '01',
  downloaded: 0,
  downNum: 0,
  lastDownTime: '',
  picState: 2 as const,
  picRemark: '',
  jkm: '9',
  xcm: '',
  hsjcbg: '',
  picLabels: { jkm: '身份核验照' } as const,
  ...more,
})

test('pictures are judged one after the other, and a bad one with a reason', async () => {
  wire.answer = () => ({ data: {} })
  const moves: (string | undefined)[] = []
  const rows = [row('1'), row('2', { jkm: '' }), row('3')]
  const view = (id: string) => <MaterialViewer rows={rows} id={id} mayCheck onMove={next => moves.push(next)} />
  const { unmount } = shown(view('1'))
  expect(await screen.findByText('身份核验照')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '合格' }))
  await waitFor(() => expect(moves).toEqual(['3']))
  expect(given('/picPass')).toEqual({ ids: '1' })
  unmount()
  shown(view('3'))
  await userEvent.click(await screen.findByRole('button', { name: '不合格' }))
  const reason = await screen.findByPlaceholderText(/哪里不合格/)
  const ok = screen.getByRole('button', { name: /^确\s?定$/ })
  expect(ok).toBeDisabled()
  await userEvent.type(reason, '看不清')
  await userEvent.click(ok)
  await waitFor(() => expect(moves).toEqual(['3', undefined]))
  expect(given('/picFail')).toEqual({ ids: '3', picRemark: '看不清' })
})

test('the answer to a question is fetched when it is opened', async () => {
  wire.answer = ({ path }) =>
    path.endsWith('/detail')
      ? { data: { id: '5', title: '忘记密码', content: '<p>联系管理员<script>alert(1)</script></p>' } }
      : { data: { records: [{ id: '5', title: '忘记密码' }], total: 1, categories: [] } }
  const { container } = shown(<FaqPage />)
  expect(await screen.findByText('忘记密码')).toBeVisible()
  expect(calls('/public/news')[0]?.query).toMatchObject({ category: '3' })
  expect(calls('/detail')).toEqual([])
  const question = container.querySelector('details') as HTMLDetailsElement
  question.open = true
  question.dispatchEvent(new Event('toggle'))
  expect(await screen.findByText('联系管理员')).toBeInTheDocument()
  expect(container.querySelector('script')).toBeNull()
  await userEvent.type(screen.getByRole('searchbox'), '照片{Enter}')
  await waitFor(() => expect(calls('/public/news').at(-1)?.query).toMatchObject({ keyword: '照片' }))
})

test('files of a public notice need no token', () => {
  const file = { id: '1', attachId: '42', fileName: '岗位表.pdf', fileSize: 2048, ext: 'pdf', downNum: '' as const }
  shown(<HungFiles files={[file]} open />)
  expect(screen.getByRole('link', { name: '岗位表.pdf' })).toHaveAttribute('href', '/api/public/download?id=42')
})
