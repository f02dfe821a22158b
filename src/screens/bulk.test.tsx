import { Refine } from '@refinedev/core'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { examitems } from '#resources/exams/examitems'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import { dataProvider } from './providers/data.ts'
import ResourceScreen from './ResourceScreen.tsx'

vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  usePermissions: () => ({ examitems_view: true, examitems_edit: true }),
}))

const ratios = ['3.0000', '2', '2.0000']
const records = ratios.map((openRatio, at) => ({ id: `${at + 1}`, postName: `医师${at}`, version: at, openRatio }))

test('chosen rows get a value each with its version; the dialog says how many have it already', async () => {
  wire.answer = ({ path }) => ({ data: path.endsWith('/page') ? { records, total: 3 } : {} })
  render(
    <MemoryRouter>
      <App>
        <Refine dataProvider={dataProvider} resources={[{ name: 'examitems' }]} options={{ disableTelemetry: true }}>
          <ResourceScreen resource={examitems} />
        </Refine>
      </App>
    </MemoryRouter>,
  )
  const user = userEvent.setup()
  await screen.findAllByText('医师0')
  const [whole] = screen.getAllByRole('checkbox')
  await user.click(whole!)
  await user.click(within(await screen.findByRole('status')).getByRole('button', { name: '批量修改' }))
  const dialog = await screen.findByRole('dialog')
  const save = within(dialog).getByRole('button', { name: /确\s*定/ })
  await user.click(save)
  expect(within(dialog).getByText('请选择要修改的字段')).toBeDefined()
  await user.click(within(dialog).getByRole('checkbox', { name: '开考比例' }))
  await user.type(within(dialog).getByLabelText('开考比例改为'), '2')
  expect(within(dialog).getByText('3 个招聘岗位，2 个已是此值')).toBeDefined()
  await user.click(save)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const sent = wire.seen.find(({ path }) => path.endsWith('/change'))
  expect(sent?.body).toEqual({ ids: '1,2,3', versions: '0,1,2', openRatio: '2' })
  expect(screen.queryByRole('status')).toBeNull()
})
