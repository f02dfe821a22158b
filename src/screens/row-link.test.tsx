import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { resources } from '#resources'
import { ListCell } from './ListCell.tsx'
import { ShowRow } from './show-row.ts'

const granted = vi.hoisted(() => ({ now: {} as Record<string, true> }))
vi.mock('./providers/rights.ts', () => ({ useCan: (code: string) => granted.now[code] === true }))

afterEach(() => {
  cleanup()
  granted.now = {}
})

const orders = resources.find(one => one.name === 'payorder')!
const records = resources.find(one => one.name === 'payrecord')!
const [payer] = orders.columns
const stage = records.columns.find(one => one.field === 'itemId')!
const row = {
  id: '1',
  userId: '7',
  userIdName: '张敏',
  itemId: '3',
  itemIdName: '笔试',
  examId: '9',
  examIdName: '护理招聘',
}

const shown: string[] = []
const show = (of: typeof orders, column = payer!, open?: () => void) =>
  render(
    <ShowRow value={(resource, id) => shown.push(`${resource.name} ${id}`)}>
      <ListCell resource={of} column={column} row={row} open={open} />
    </ShowRow>,
    { wrapper: MemoryRouter },
  )

test('the name of an exam leads to its workspace, wherever it stands', async () => {
  show(records, stage)
  expect((await screen.findByRole('link', { name: '护理招聘' })).getAttribute('href')).toBe('/exam/9')
})

test('another name shows its row to whoever may look at such rows, and to nobody else', async () => {
  show(records, stage)
  await screen.findByRole('link')
  expect(screen.queryByRole('button')).toBeNull()
  granted.now = { examinationitem_view: true, user_view: true }
  show(records, stage)
  await screen.findByRole('button', { name: '笔试' })
  show(orders)
  fireEvent.click(await screen.findByRole('button', { name: '张敏' }))
  await waitFor(() => expect(shown).toEqual(['user 7']))
})

test('what opens its own row leads nowhere else', async () => {
  granted.now = { user_view: true }
  show(orders, payer, () => undefined)
  expect(document.querySelectorAll('.row-link')).toHaveLength(0)
  expect(screen.getAllByRole('button')).toHaveLength(1)
})
