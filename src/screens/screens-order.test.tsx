import { Refine } from '@refinedev/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Resource } from '#engine'
import { examsignfiles } from '#resources/exams/examsignfiles'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import ListScreen from './ListScreen.tsx'
import { dataProvider } from './providers/data.ts'

const granted = vi.hoisted(() => ({ now: {} as Record<string, true> }))
vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  usePermissions: () => granted.now,
}))

let rows: { id: string; examId: string; fileCode: string; fileName: string }[] = []
const file = (id: string, fileName: string, examId = '9') => ({ id, examId, fileCode: `f${id}`, fileName })

beforeEach(() => {
  granted.now = { examsignfiles_edit: true }
  rows = [file('1', '一寸照片'), file('2', '身份证'), file('3', '学历证书')]
  wire.seen.length = 0
  wire.answer = ({ path, body }) => {
    if (path.endsWith('/arrange')) {
      const ids = (body as { ids: string }).ids.split(',')
      rows = ids.flatMap(id => rows.filter(row => row.id === id))
    }
    return { data: path.endsWith('/page') ? { records: rows, total: rows.length } : [] }
  }
})

async function open() {
  cleanup()
  render(
    <MemoryRouter>
      <App>
        <Refine dataProvider={dataProvider} options={{ disableTelemetry: true }}>
          <ListScreen resource={examsignfiles as Resource} embedded />
        </Refine>
      </App>
    </MemoryRouter>,
  )
  await screen.findByText('一寸照片')
}

const handles = () => screen.queryAllByRole('button', { name: /^移动/ })
const names = () => handles().map(one => /移动(.+)，/.exec(one.getAttribute('aria-label') ?? '')?.[1])

test('rows with an order are put into it by the keys, in one call', async () => {
  await open()
  await waitFor(() => expect(names()).toEqual(['一寸照片', '身份证', '学历证书']))
  handles()[2]?.focus()
  await userEvent.keyboard(' {ArrowUp} ')
  const sent = () => wire.seen.filter(one => one.path === '/blade-signfiles/examsignfiles/arrange')
  await waitFor(() => expect(sent().map(one => one.body)).toEqual([{ ids: '1,3,2' }]))
  await waitFor(() => expect(names()).toEqual(['一寸照片', '学历证书', '身份证']))
})

test('not where they belong to two exams, are sorted by something else, or may not be edited', async () => {
  rows = [file('1', '一寸照片'), file('2', '身份证', '8')]
  await open()
  expect(handles()).toEqual([])
  rows = [file('1', '一寸照片'), file('2', '身份证')]
  await open()
  await waitFor(() => expect(handles()).toHaveLength(2))
  await userEvent.click(screen.getAllByRole('columnheader', { name: /附件名称/ })[0] as HTMLElement)
  await waitFor(() => expect(handles()).toEqual([]))
  granted.now = {}
  await open()
  expect(handles()).toEqual([])
})
