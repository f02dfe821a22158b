import '@testing-library/jest-dom/vitest'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { expect, test } from 'vitest'
import '../../../../tests/helper/screens-page.tsx'
import { wire } from '../../../../tests/helper/screens-wire.ts'
import StartReturn from '../../../web/chrome/StartReturn.tsx'
import { StartList } from './StartList.tsx'

const steps = [
  { code: 'organisation', done: true, ticked: false },
  { code: 'backup', done: true, ticked: true },
  { code: 'exam', done: false, ticked: false },
]

function begin() {
  wire.seen.length = 0
  wire.answer = () => ({ data: null })
  render(
    <App>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={['/wel/index']}>
          <StartReturn />
          <Routes>
            <Route path="/wel/index" element={<StartList of={steps} />} />
            <Route path="*" element={<p>页面</p>} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </App>,
  )
}

test('each line leads to the page where it is done, and from there back to the list', async () => {
  begin()
  expect(screen.getByText('2/3')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('link', { name: '第一场考试' }))
  expect(screen.getByText('页面')).toBeInTheDocument()
  expect(screen.getByRole('complementary')).toHaveTextContent('新建考试，导入岗位')
  await userEvent.click(screen.getByRole('link', { name: '返回清单' }))
  expect(screen.getByRole('link', { name: '第一场考试' })).toBeInTheDocument()
  expect(screen.queryByRole('complementary')).toBeNull()
})

test('a step is ticked, a ticked one is opened again, one that is done by itself has no button', async () => {
  begin()
  const line = (name: string) => within(screen.getByRole('link', { name }).closest('li') as HTMLElement)
  expect(line('机构').queryByRole('button')).toBeNull()
  await userEvent.click(line('备份').getByRole('button', { name: '重新打开' }))
  await userEvent.click(line('第一场考试').getByRole('button', { name: '已完成或不需要' }))
  await userEvent.click(screen.getByRole('button', { name: '收起清单' }))
  expect(wire.seen.map(({ body }) => body)).toEqual([
    { code: 'backup', done: false },
    { code: 'exam', done: true },
    { code: '*', done: true },
  ])
})
