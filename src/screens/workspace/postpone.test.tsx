import { Refine } from '@refinedev/core'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { examination } from '#resources/exams/examination'
import { examWorkspace } from '#resources/exams/examination-workspace'
import '../../../tests/helper/screens-page.tsx'
import { wire } from '../../../tests/helper/screens-wire.ts'
import { dataProvider } from '../providers/data.ts'
import { DeadlinePanel } from './DeadlinePanel.tsx'
// What opens is there before anybody waits for it.
import '../FormDialog.tsx'

vi.mock(import('../providers/rights.ts'), async original => ({
  ...(await original()),
  usePermissions: () => new Proxy({}, { get: () => true }),
}))

const place = { workspace: examWorkspace, id: '7', page: '' }
const stored = {
  id: '7',
  version: 3,
  examName: '公开招聘',
  examStatus: 1,
  signStartTime: '2030-05-01 09:00:00',
  signEndTime: '2030-05-05 17:00:00',
}
const row = { ...stored, deadline: { field: 'signEndTime', label: '报名截止', at: stored.signEndTime } }
const line = [{ phase: '报名中', start: '', end: '', state: 'open', fields: ['signStartTime', 'signEndTime'] }]

/** What the server says of the change that is sent. */
let said: object = { data: {} }
const reload = vi.fn()

beforeEach(() => {
  said = { data: {} }
  wire.seen.length = 0
  reload.mockClear()
  wire.answer = ({ path }) => {
    if (path.endsWith('/countMoved')) return { data: { people: 666 } }
    if (path.endsWith('/submit')) return said as never
    return { data: path.endsWith('/detail') ? stored : [] }
  }
})

/** Opens the panel's form, types another end and saves it. */
async function postpone(until: string) {
  render(
    <MemoryRouter>
      <App>
        <Refine dataProvider={dataProvider} options={{ disableTelemetry: true }}>
          <DeadlinePanel
            place={place}
            resource={examination as never}
            answer={{ row, line, label: '公开招聘' } as never}
            reload={reload}
          />
        </Refine>
      </App>
    </MemoryRouter>,
  )
  await userEvent.click(screen.getByRole('button', { name: /延\s*期/ }))
  const dialog = await screen.findByRole('dialog', { name: '报名截止' })
  const input = await within(dialog).findByLabelText('报名结束时间')
  expect(within(dialog).queryByLabelText('审核截止时间')).toBeNull()
  fireEvent.mouseDown(input)
  fireEvent.change(input, { target: { value: until } })
  fireEvent.keyDown(input, { key: 'Enter', keyCode: 13 })
  fireEvent.blur(input)
  await userEvent.click(within(dialog).getByRole('button', { name: /保\s*存/ }))
  return dialog
}

const sent = () => wire.seen.filter(({ path }) => path.endsWith('/submit')).map(({ body }) => body)

test('who moves an end is asked with the number of people who are told, and nothing is sent before', async () => {
  await postpone('2030-05-07 17:00:00')
  await screen.findAllByText(/会通知 666 人/)
  expect(sent()).toEqual([])
  const asked = wire.seen.find(({ path }) => path.endsWith('/countMoved'))
  expect(asked?.query).toEqual({ id: '7', fields: 'signEndTime' })
  await userEvent.click(screen.getByRole('button', { name: /确\s*定/ }))
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(sent()).toMatchObject([{ id: '7', version: 3, signEndTime: '2030-05-07 17:00:00' }])
})

test.each([
  ['数据已被他人修改', { code: 29002, msg: '数据已被他人修改，请刷新后重试' }],
  [
    '考试已发布，不能修改',
    { code: 21007, msg: '考试已发布', data: [{ field: 'signEndTime', msg: '考试已发布，不能修改' }] },
  ],
])('a change that is refused stays in the form: %s', async (words, refusal) => {
  said = refusal
  await postpone('2030-05-07 17:00:00')
  await userEvent.click(await screen.findByRole('button', { name: /确\s*定/ }))
  await screen.findAllByText(new RegExp(words))
  expect(reload).not.toHaveBeenCalled()
})
