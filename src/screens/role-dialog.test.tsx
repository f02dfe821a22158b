import { Refine } from '@refinedev/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { user } from '#resources/system/user'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import { actionsAt } from './actions.ts'
import { dataProvider } from './providers/data.ts'
import { useActions } from './use-actions.tsx'

const roles = [
  { id: '11', label: '考务管理员', parentId: '0' },
  { id: '12', label: '初审员', parentId: '0' },
  { id: '13', label: '财务', parentId: '0' },
]
const people = [
  { id: '1', realName: '甲', roleId: '11,13' },
  { id: '2', realName: '乙', roleId: '11' },
]
const grant = actionsAt(user, 'rows').find(one => one.name === 'grant')
if (!grant) throw new Error('grant')
const action = grant

function Bar() {
  const { start, dialog } = useActions(user, () => undefined)
  return (
    <>
      {[people.slice(0, 1), people].map(rows => (
        <button key={rows.length} type="button" onClick={() => start(action, rows)}>
          {`给 ${rows.length} 人`}
        </button>
      ))}
      {dialog}
    </>
  )
}

async function open(name: string): Promise<void> {
  render(
    <MemoryRouter>
      <App>
        <Refine dataProvider={dataProvider} options={{ disableTelemetry: true }}>
          <Bar />
        </Refine>
      </App>
    </MemoryRouter>,
  )
  await userEvent.click(screen.getByText(name))
  await screen.findByText('所选角色将替换原有角色')
}

/** What stands for the roles chosen: without a width there is room for their number only. */
const chosen = () => [...document.querySelectorAll('.ant-select-selection-item')]
const ok = () => document.querySelector('.ant-modal-footer .ant-btn-primary') as HTMLElement
const granted = () => wire.seen.find(one => one.path.endsWith('/grant'))

beforeEach(() => {
  wire.seen.length = 0
  wire.answer = ({ path }) => ({ data: path.endsWith('/select') ? roles : {} })
})

test('begins with the roles of the one person it is for', async () => {
  await open('给 1 人')
  await waitFor(() => expect(chosen()).toHaveLength(1))
  await userEvent.click(ok())
  await waitFor(() => expect(granted()?.query).toEqual({ userIds: '1', roleIds: '11,13' }))
})

test('begins empty for several people, and asks for roles before it runs', async () => {
  await open('给 2 人')
  await userEvent.click(ok())
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect([chosen(), granted()]).toEqual([[], undefined])
})
